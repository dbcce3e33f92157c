"""`setup.cfg`: where setuptools declares its packages, in its older form.

Values are lists by line or by comma, and `package_dir` has an equals sign in each entry.
"""

from __future__ import annotations

from keel.languages.python.manifests.declared import HERE, Declared, PackageFolder, Unreadable, package_folders

FINDERS = ("find:", "find_namespace:")


def read(content: str) -> Declared:
    """Everything the file declares."""
    import configparser

    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(content)
    except configparser.Error as error:
        raise Unreadable(f"is not in the form of setup.cfg: {str(error).partition(chr(10))[0]}") from None
    listed = _entries(parser.get("options", "packages", fallback=""))
    found = bool(listed) and listed[0] in FINDERS
    folders = package_folders(_pairs(parser.get("options", "package_dir", fallback="")))
    if found:
        folders += [
            PackageFolder(folder) for folder in _entries(parser.get("options.packages.find", "where", fallback=""))
        ]
    modules = _entries(parser.get("options", "py_modules", fallback=""))
    if not folders and (listed or modules):
        folders = [PackageFolder(HERE)]
    return Declared(
        name=parser.get("metadata", "name", fallback="").strip(),
        sources=folders,
        packages=modules if found else listed + modules,
    )


def _entries(value: str) -> list[str]:
    return [entry for line in value.splitlines() for part in line.split(",") if (entry := part.strip())]


def _pairs(value: str) -> dict[str, str]:
    pairs = (entry.partition("=") for entry in _entries(value))
    return {name.strip(): folder.strip() or HERE for name, _, folder in pairs}
