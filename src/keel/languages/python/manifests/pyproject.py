"""`pyproject.toml`: where each of the usual build tools declares its packages.

A tool that is not among them leaves its project with the usual layout. The keys are those of the tools' own manuals.
"""

from __future__ import annotations

from keel.languages.python.manifests.declared import (
    HERE,
    Declared,
    PackageFolder,
    Unreadable,
    last_part,
    package_folders,
    parent_of,
    table,
    text,
    texts,
)


def read(content: str) -> Declared:
    """Everything the file declares."""
    import tomllib

    try:
        whole: dict[str, object] = tomllib.loads(content)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"is not TOML: {error}") from None
    tool = table(whole, "tool")
    parts = [reader(tool) for reader in (_setuptools, _hatch, _poetry, _pdm, _flit, _uv, _maturin, _scikit_build)]
    workspaces = [table(tool, owner, "workspace") for owner in ("uv", "rye")]
    return Declared(
        name=text(table(whole, "project").get("name")) or text(table(tool, "poetry").get("name")),
        sources=[folder for part in parts for folder in part.sources],
        extra=texts(table(tool, "pytest", "ini_options").get("pythonpath")),
        packages=[package for part in parts for package in part.packages],
        members=[glob for workspace in workspaces for glob in texts(workspace.get("members"))],
        excluded=[glob for workspace in workspaces for glob in texts(workspace.get("exclude"))],
    )


def _setuptools(tool: dict[str, object]) -> Declared:
    own = table(tool, "setuptools")
    found = table(own, "packages", "find")
    folders = package_folders(own.get("package-dir"))
    folders += [PackageFolder(folder) for folder in texts(found.get("where"))]
    listed = texts(own.get("packages"))
    if not folders and (listed or found or "py-modules" in own):
        folders = [PackageFolder(HERE)]
    return Declared(sources=folders, packages=listed + texts(own.get("py-modules")))


def _hatch(tool: dict[str, object]) -> Declared:
    build = table(tool, "hatch", "build")
    # What the target declares itself replaces what is declared for all targets.
    wheel = {**build, **table(build, "targets", "wheel")}
    listed = texts(wheel.get("packages"))
    folders = [PackageFolder(parent_of(path)) for path in listed]
    sources = wheel.get("sources")
    if isinstance(sources, dict):
        folders += [
            PackageFolder(folder, new.strip("/").replace("/", "."))
            for folder, new in sources.items()
            if isinstance(new, str)
        ]
    else:
        folders += [PackageFolder(folder) for folder in texts(sources)]
    folders += [PackageFolder(folder) for folder in texts(build.get("dev-mode-dirs"))]
    return Declared(sources=folders, packages=[last_part(path) for path in listed])


def _poetry(tool: dict[str, object]) -> Declared:
    listed = table(tool, "poetry").get("packages")
    entries = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    return Declared(
        sources=[
            PackageFolder(text(entry.get("from")) or HERE, text(entry.get("to")).strip("/").replace("/", "."))
            for entry in entries
        ],
        packages=[first for entry in entries if (first := _first_part(text(entry.get("include"))))],
    )


def _first_part(path: str) -> str:
    """The package of a path or glob such as `shop/**/*.py`; none when the first name is a glob itself."""
    first = path.strip("/").partition("/")[0]
    return "" if set(first) & set("*?[") else first.removesuffix(".py")


def _pdm(tool: dict[str, object]) -> Declared:
    folder = text(table(tool, "pdm", "build").get("package-dir")) or text(table(tool, "pdm").get("package-dir"))
    return Declared(sources=[PackageFolder(folder)] if folder else [])


def _flit(tool: dict[str, object]) -> Declared:
    name = text(table(tool, "flit", "module").get("name")) or text(table(tool, "flit", "metadata").get("module"))
    return Declared(packages=[name] if name else [])


def _uv(tool: dict[str, object]) -> Declared:
    backend = table(tool, "uv", "build-backend")
    folder = backend.get("module-root")
    folders = [PackageFolder(folder or HERE)] if isinstance(folder, str) else []
    return Declared(sources=folders, packages=texts(backend.get("module-name")))


def _maturin(tool: dict[str, object]) -> Declared:
    own = table(tool, "maturin")
    folder = text(own.get("python-source"))
    return Declared(sources=[PackageFolder(folder)] if folder else [], packages=texts(own.get("python-packages")))


def _scikit_build(tool: dict[str, object]) -> Declared:
    listed = table(tool, "scikit-build", "wheel").get("packages")
    if isinstance(listed, dict):
        named = {name: path for name, path in listed.items() if isinstance(path, str)}
        folders = [PackageFolder(path, name.strip("/").replace("/", ".")) for name, path in named.items()]
        return Declared(sources=folders, packages=[folder.package for folder in folders])
    return Declared(
        sources=[PackageFolder(parent_of(path)) for path in texts(listed)],
        packages=[last_part(path) for path in texts(listed)],
    )
