"""An update: files that may have changed are read, changed ones are put, and all that depends on them is relinked.

The result equals a build from nothing: a file is linked again when it changed itself, or when the answer to one of its
look-ups in other files did. Deciding which files to read is left to `scan`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from keel.graph.open_calls import open_calls
from keel.indexing.context import IndexContext
from keel.indexing.facts import Read, Reader, Task, Unread, cache_key, fingerprint, suffix_of
from keel.indexing.flows import StoredFlows
from keel.indexing.gc_pause import gc_pause
from keel.indexing.helpers.confirm import Linking
from keel.indexing.report import Progress, Report
from keel.indexing.rows.plan import plan_file
from keel.indexing.scan.manifests import read_manifests, remember, remembered
from keel.indexing.scan.scan import Scan
from keel.indexing.scan.scan_result import ScannedFile, is_among
from keel.indexing.tree import OfLanguage, WorkspaceTree
from keel.model.facts import Interface, decode_interface, encode
from keel.model.manifests import Manifest
from keel.model.rows import INDEXED, LOST, UNREADABLE, FileLinks, FileRow, FileUpdate
from keel.ports.language import Change, Language, Linker
from keel.ports.runner import Lost
from keel.ports.store import GraphWriter

if TYPE_CHECKING:
    from keel.indexing.cache.graph_cache import GraphCache

SETTINGS = "settings"
BATCH = 64
"""How many files go to the store at a time."""


class Helped(NamedTuple):
    """The part of helpers such as ty in an update, for a graph that was made with them."""

    asks: bool
    """Whether they are asked after linking."""
    owed: Collection[int]
    """Files that they are still to be asked about from earlier runs."""


class Update:
    """One run of the pipeline inside one transaction."""

    def __init__(
        self,
        context: IndexContext,
        writer: GraphWriter,
        known: list[FileRow],
        scan: Scan,
        now: int,
        progress: Progress,
        helped: Helped | None = None,
    ) -> None:
        self._context = context
        self._writer = writer
        self._known = {(row.root, row.path): row for row in known}
        self._scan = scan
        self._now = now
        self._progress = progress
        self._suffixes = context.suffixes
        self._languages = {language.name: language for language in context.languages}
        self._syntaxes = context.syntaxes
        self._next = max((row.id for row in known), default=0) + 1
        self.files: dict[int, FileRow] = {row.id: row for row in known}
        """All files after this run."""
        self._fresh: dict[int, bytes] = {}
        """Encoded references of the files that were put in this run, until they are linked."""
        self._changes: dict[str, list[Change]] = {name: [] for name in self._languages}
        self._helped = helped
        self._near: dict[tuple[str, str], set[int]] = {}
        """Of changed files: the files that had edges into them. The look-ups behind a helper's answers are not
        known."""
        self.asked: set[int] = set()
        self.linked: set[int] = set()
        """What a helper is to be asked about, and everything that was linked again."""
        self._leaving: list[tuple[bytes, bytes, bytes]] = []
        """Facts that the graph loses, for the cache."""
        self.persistent = False
        """Whether the files are the same as in the last run, in the same folders, and linked by the daemon's linker."""
        self.new_links: dict[int, FileLinks] = {}
        """The new links, when persistent."""
        self.put: dict[int, Interface] = {}
        """Files whose interface changed, with the new one, when persistent."""
        self._touched: list[FileRow] = []
        self._unread: list[str] = [f"{root}/{path}" for root, path in scan.unreadable]
        self._broken: list[str] = []
        self._lost: list[str] = []
        self._warnings = list(scan.warnings)
        self._counts = {"added": 0, "changed": 0}
        self._linkers: Mapping[str, Linker] = {}
        self._everything = False

    def run(self, everything: bool, outdated: bool = False) -> Report:
        """The steps: read, put, remove, link."""
        built = self._writer.empty
        self._everything = everything or built
        with gc_pause():
            linkers = self._linkers = self._start()
            tasks = self._tasks(everything, outdated)
            self._put(linkers, tasks)
            gone = [row.id for row in self._scan.missing]
            flows = StoredFlows(self._writer, gone, remembers=not self._everything)
            removed = self._remove()
            settled = self._settle(linkers)
            linked = self._link(linkers, settled, flows)
            self._context.cache.put(self._leaving)
        return Report(
            built,
            len(self.files),
            self._counts["added"],
            self._counts["changed"],
            removed,
            linked,
            tuple(self._unread),
            tuple(sorted(self._broken)),
            tuple(self._lost),
            tuple(self._warnings),
        )

    def linking(self, language: Language) -> Linking:
        """The linker and files of a language, for merging answers into their links."""
        return Linking(self._linkers[language.name], OfLanguage(self.files, language.name).values())

    # what has to be read

    def _start(self) -> dict[str, Linker]:
        """Numbers for new files, and a linker for each language over the files as they will be."""
        for row in self._scan.missing:
            del self.files[row.id]
        for file in self._scan.added:
            language = self._suffixes[suffix_of(file.path)]
            row = FileRow(self._next, file.root, file.path, language.name, "", b"", 0, 0, 0)
            self._known[file.root, file.path] = self.files[self._next] = row
            self._next += 1
        graph_cache = self._context.graph_cache
        if graph_cache is not None:
            graph_cache.lend(self._writer)
            scan = self._scan
            if not (self._everything or scan.added or scan.missing or scan.manifests_changed):
                self.persistent = True
                return {
                    language.name: self._persistent_linker(language, graph_cache)
                    for language in self._context.languages
                }
            graph_cache.forget_files()
        return {language.name: language.linker(self._tree(language)) for language in self._context.languages}

    def _persistent_linker(self, language: Language, graph_cache: GraphCache) -> Linker:
        files = OfLanguage(self.files, language.name)
        return graph_cache.linker(
            language, self._context.roots, files, lambda: self._manifests(language), self._encoded
        )

    def _tree(self, language: Language) -> WorkspaceTree:
        files = OfLanguage(self.files, language.name)
        return WorkspaceTree(self._context.roots, files, self._manifests(language), self._encoded, language.decode)

    def _manifests(self, language: Language) -> list[Manifest]:
        """What the manifests declare; they are read when one of them may have changed."""
        known = None if self._everything or self._scan.manifests_changed else remembered(self._writer, language)
        if known is not None:
            return known
        manifest_files = read_manifests(self._context.roots, language, self._scan.manifest_files)
        self._warnings += manifest_files.warnings
        remember(self._writer, language, manifest_files.manifests)
        return manifest_files.manifests

    def _encoded(self, file: int) -> bytes:
        return self._writer.interface(file) or b""

    def _tasks(self, everything: bool, outdated: bool) -> list[Task]:
        """New files and suspects; with `everything`, all files (unchanged content is not parsed unless outdated)."""
        files = {(item.root, item.path): item for item in (*self._scan.added, *self._scan.suspects)}
        if everything:
            for place, row in self._known.items():
                if row.id in self.files and place not in files:
                    files[place] = self._scanned(row)
        return [Task(item, b"" if outdated else self._known[place].content) for place, item in sorted(files.items())]

    def _scanned(self, row: FileRow) -> ScannedFile:
        from keel.indexing.scan.folders import on_disk, prefix_of

        return ScannedFile(
            row.root,
            row.path,
            on_disk(prefix_of(self._context.roots[row.root]), row.path),
            row.size,
            row.mtime_ns,
        )

    # reading and putting

    def _put(self, linkers: Mapping[str, Linker], tasks: list[Task]) -> None:
        batch: list[FileUpdate] = []
        for done, outcome in enumerate(self._outcomes(tasks)):
            update = self._take(linkers, outcome)
            if update is not None:
                batch.append(update)
            if len(batch) >= BATCH:
                self._writer.put(batch)
                batch = []
                self._progress("reading", done, len(tasks))
        self._writer.put(batch)

    def _outcomes(self, tasks: list[Task]) -> Iterator[Read | Unread | Lost[Task]]:
        """Every task's outcome; facts in the cache are not extracted again."""
        cached, rest = self._from_cache(tasks)
        yield from cached
        if rest:
            yield from self._context.runner(len(rest)).run(Reader(self._suffixes), rest)

    def _from_cache(self, tasks: list[Task]) -> tuple[list[Read], list[Task]]:
        if not self._context.cache.holds_any():
            return [], tasks
        contents = {task: fingerprint(task.file) for task in tasks}
        keys = {
            task: cache_key(self._suffixes[suffix_of(task.file.path)], task.file.path, content)
            for task, content in contents.items()
            if content is not None and content != task.content
        }
        known = self._context.cache.get(list(keys.values()))
        cached: list[Read] = []
        rest: list[Task] = []
        for task in tasks:
            facts = known.get(keys.get(task, b""))
            content = contents[task]
            if facts is not None and content is not None:
                cached.append(Read(task.file, content, *facts))
            else:
                rest.append(task)
        return cached, rest

    def _take(self, linkers: Mapping[str, Linker], outcome: Read | Unread | Lost[Task]) -> FileUpdate | None:
        if isinstance(outcome, Lost):
            return self._take_lost(linkers, outcome)
        if isinstance(outcome, Unread):
            self._take_unread(outcome)
            return None
        if not outcome.interface:
            self._touched.append(self._row(outcome, INDEXED))
            return None
        return self._take_facts(linkers, self._row(outcome, INDEXED), outcome)

    def _row(self, read: Read, state: int) -> FileRow:
        file = read.file
        row = self._known[file.root, file.path]._replace(
            content=read.content,
            size=file.size,
            mtime_ns=file.mtime_ns,
            looked_ns=self._now,
            state=state,
        )
        self.files[row.id] = row
        return row

    def _take_facts(self, linkers: Mapping[str, Linker], row: FileRow, read: Read) -> FileUpdate:
        interface = self._context.decode(self._languages[row.language], read.interface)
        linker = linkers[row.language]
        linker.learn(row.id, interface)
        row = self.files[row.id] = row._replace(module=linker.module(row.id))
        if interface.gaps:
            self._broken.append(f"{row.root}/{row.path}")
        before = self._before(row.id)
        if not self._everything:
            self._changes[row.language].append(Change(row.root, row.path, before, interface))
        self._counts["added" if before is None else "changed"] += 1
        self._fresh[row.id] = read.references
        if self.persistent:
            self.put[row.id] = interface
        return plan_file(row, read, interface, self._syntaxes[row.language])

    def _before(self, file: int) -> Interface | None:
        """The interface of a file before this run; its facts go to the cache, since the graph is about to lose them."""
        if self._writer.empty:
            return None
        row = self._writer.file(file)
        interface = self._writer.interface(file)
        if row is None or interface is None:
            return None
        references = self._writer.references(file) or b""
        if self._helped is not None and not self._everything:
            self._near[row.root, row.path] = {other.id for other in self._writer.files_into(file)}
        if row.content:
            key = cache_key(self._languages[row.language], row.path, row.content)
            self._leaving.append((key, interface, references))
        return self._context.decode(self._languages[row.language], interface)

    def _take_lost(self, linkers: Mapping[str, Linker], lost: Lost[Task]) -> FileUpdate:
        """A file that crashed its reader: in the graph, without definitions, until its content changes."""
        file = lost.item.file
        self._lost.append(f"{file.root}/{file.path}: {lost.why}")
        facts = self._suffixes[suffix_of(file.path)].extract(b"", file.path)
        read = Read(file, fingerprint(file) or b"", encode(facts.interface), encode(facts.references))
        return self._take_facts(linkers, self._row(read, LOST), read)

    def _take_unread(self, unread: Unread) -> None:
        """A file that cannot be opened keeps what is stored about it; a new one is left out until it can be."""
        file = unread.file
        row = self._known[file.root, file.path]
        if not is_among(self._scan.unreadable, file.root, file.path):  # those are reported already
            self._unread.append(f"{file.root}/{file.path}: {unread.why}")
        if row.content:
            row = row._replace(state=UNREADABLE)
            self.files[row.id] = row
            self._touched.append(row)
        else:
            del self.files[row.id]

    def _remove(self) -> int:
        rows = self._scan.missing
        for row in rows:
            self._changes[row.language].append(Change(row.root, row.path, self._before(row.id), None))
        self._writer.remove([row.id for row in rows])
        return len(rows)

    # linking

    def _settle(self, linkers: Mapping[str, Linker]) -> list[FileRow]:
        """The files whose references must be linked again."""
        settings = {name: linker.settings() for name, linker in linkers.items()}
        moved = {name for name, value in settings.items() if self._writer.note(f"{SETTINGS} {name}") != value}
        self.persistent = self.persistent and not moved
        again = {*self._fresh, *(self._helped.owed if self._helped is not None else ())}
        near: set[int] = set()
        for name, language in self._languages.items():
            self._writer.set_note(f"{SETTINGS} {name}", settings[name])
            if self._everything or name in moved:
                again |= {row.id for row in self.files.values() if row.language == name}
            else:
                dependents, others = self._dependents(language, self._changes[name])
                again |= dependents
                near |= others
        if self._helped is not None and self._helped.asks:
            again |= near  # answers are merged into keel's own links, not into links that were merged before
        self._writer.touch(self._touched)
        self._rename(linkers, moved)
        self.asked = {file for file in again | near if file in self.files}
        return sorted((self.files[file] for file in again if file in self.files), key=lambda row: row[1:3])

    def _dependents(self, language: Language, changes: list[Change]) -> tuple[set[int], set[int]]:
        """The files whose links may differ with these changes, and those about which a helper may answer
        differently."""
        known = self._context.graph_cache.answers if self._context.graph_cache is not None else None
        keys: set[int] = set()
        near: set[int] = set()
        for change in changes:
            changed = language.changed_keys([change], known)
            keys |= changed
            if changed:
                near |= self._near.get((change.root, change.path), set())
        return self._writer.dependents(keys), near

    def _rename(self, linkers: Mapping[str, Linker], moved: Collection[str]) -> None:
        """Gives files their current module name; modules whose last name changed are put again."""
        for row in [row for row in self.files.values() if row.language in moved] if moved else ():
            module = linkers[row.language].module(row.id)
            if module == row.module:
                continue
            renamed = self.files[row.id] = row._replace(module=module)
            syntax = self._syntaxes[row.language]
            if syntax.last_name(module) == syntax.last_name(row.module):
                self._writer.touch([renamed])
            else:
                self._writer.put([self._stored(renamed)])

    def _stored(self, row: FileRow) -> FileUpdate:
        """A file with the facts that are stored."""
        interface, references = self._encoded(row.id), self._writer.references(row.id) or b""
        read = Read(self._scanned(row), row.content, interface, references)
        return plan_file(row, read, decode_interface(interface), self._syntaxes[row.language])

    def _link(self, linkers: Mapping[str, Linker], rows: list[FileRow], flows: StoredFlows) -> int:
        for name, linker in linkers.items():
            files = [row.id for row in rows if row.language == name]
            if files:
                new_links: Iterable[FileLinks] = linker.link(files, self._counted(files), flows)
                if flows.remembers:
                    # the stored flow is read until the last file is linked, and only then replaced
                    new_links = list(new_links)
                    self.linked.update(links.file for links in new_links)
                    self.new_links.update({links.file: links for links in new_links} if self.persistent else {})
                else:
                    self.linked.update(files)
                self._writer.link(map(self._with_open_calls, new_links))
        return len(self.linked)

    def _with_open_calls(self, links: FileLinks) -> FileLinks:
        references = self._writer.references(links.file) or b""
        return links._replace(open_calls=open_calls(self._encoded(links.file), references, links.reasons))

    def _counted(self, files: list[int]) -> Callable[[int], bytes]:
        """Returns references, and reports the progress of linking."""
        done = 0

        def references(file: int) -> bytes:
            nonlocal done
            if done % BATCH == 0:
                self._progress("linking", min(done, len(files)), len(files))
            done += 1
            return self._fresh.pop(file, b"") or self._writer.references(file) or b""

        return references
