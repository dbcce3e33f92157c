"""Print a script that completes keel's commands, options, values and symbols in a shell.

The script asks keel at each press of the key, so that it never goes out of date. To try it, in bash or zsh:

    eval "$(keel completion bash)"

To keep it, write it to where the shell looks for it:

    keel completion bash > ~/.local/share/bash-completion/completions/keel
    keel completion zsh > "${fpath[1]}/_keel"
    keel completion fish > ~/.config/fish/completions/keel.fish

Names of symbols come from the graph of the workspace, once there is one, as soon as a letter of them is typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.record import Record, field

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ClassVar

GROUP = "shell"

# Bash breaks words at `:` and `=` as well; the whole line is sent, and the part of a word before them taken off again.
BASH = r"""# keel's completion for bash; made by `keel completion bash`
_keel() {
    local IFS=$'\n'
    COMPREPLY=($("$1" completion bash --line="${COMP_LINE:0:COMP_POINT}" 2>/dev/null))
}
complete -o bashdefault -o default -F _keel keel"""

ZSH = r"""#compdef keel
# keel's completion for zsh; made by `keel completion zsh`
_keel() {
    local -a found
    found=("${(@f)$("${words[1]}" completion zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n ${found[1]} ]]; then
        _describe -V keel found
    else
        _files
    fi
}
if [[ ${funcstack[1]} == _keel ]]; then
    _keel "$@"
else
    compdef _keel keel
fi"""

FISH = r"""# keel's completion for fish; made by `keel completion fish`
function __keel_complete
    set -l typed (commandline -opc)
    set -l now (commandline -ct)
    set -l found ($typed[1] completion fish -- $typed[2..-1] "$now" 2>/dev/null)
    if test -n "$found"
        printf '%s\n' $found
    else if functions -q __fish_complete_path
        __fish_complete_path "$now"
    end
end
complete -c keel -f -a '(__keel_complete)'"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


class Params(Record):
    """What `completion` can be asked."""

    shell: str = field("The shell that the script is for.", positional=True, choices=tuple(SCRIPTS))
    words: tuple[str, ...] = field(
        "For the script: what was typed behind `keel`, up to the cursor.", positional=True, default=()
    )
    line: str = field("For the script: what was typed, as one text.", default="")


class Result(Record):
    """The script, or what can be typed next."""

    LAYOUT: ClassVar = ("{text}",)

    text: str = field("The script; or the candidates, a line each.")


def run(params: Params) -> Result:
    """The script; when words are given, the candidates for the last of them. Errors are not reported then."""
    words = split(params.line) if params.line else list(params.words)
    if not words:
        return Result(text=SCRIPTS[params.shell])
    from keel.surfaces.cli.completing import candidates
    from keel.surfaces.cli.main import Options

    try:
        found = candidates(words, Options, described=params.shell != "bash")
    except Exception:  # a message would appear in the middle of the line being typed
        found = []
    shape = SHAPES[params.shell]
    return Result(text="\n".join(shape(word, remark, words[-1]) for word, remark in found))


def split(line: str) -> list[str]:
    """The words behind the command of a line that may end within quotes; the last one is what is being typed."""
    import shlex

    for closing in ("", '"', "'"):
        try:
            words = shlex.split(line + closing)
        except ValueError:
            continue
        is_new = not closing and line[-1:].isspace() and not line.endswith("\\ ")
        return [*words[1:], ""] if is_new or len(words) < 2 else words[1:]
    return [""]


def _for_bash(word: str, _: str, begun: str) -> str:
    return word[max(begun.rfind(":"), begun.rfind("=")) + 1 :]


def _for_zsh(word: str, remark: str, _: str) -> str:
    return f"{word.replace(':', chr(92) + ':')}:{remark}" if remark else word.replace(":", "\\:")


def _for_fish(word: str, remark: str, _: str) -> str:
    return f"{word}\t{remark}" if remark else word


SHAPES: dict[str, Callable[[str, str, str], str]] = {"bash": _for_bash, "zsh": _for_zsh, "fish": _for_fish}
