"""Prints the licence texts of everything that is linked into the programs or bundled with the app window.

Usage: licences.py; run in the repository's root after `npm ci` and `cargo fetch`.
"""

import json
import pathlib
import subprocess

NAMES = ("licen", "copying", "notice", "unlicense")


def texts(folder):
    """The licence files in a package's folder, sorted by name."""
    return sorted(p for p in folder.iterdir() if p.is_file() and p.name.lower().startswith(NAMES))


def crates():
    """(name and version, licence, folder) of the crates in this platform's dependency tree, including those of the tests."""
    host = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    host = next(line.split()[1] for line in host.splitlines() if line.startswith("host:"))
    command = ["cargo", "metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform", host]
    metadata = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    for package in metadata["packages"]:
        if package["source"]:
            folder = pathlib.Path(package["manifest_path"]).parent
            yield f"{package['name']} {package['version']}", package["license"] or "", folder


def npm_packages():
    """The same for the npm packages that are bundled into the page."""
    for path, package in json.loads(pathlib.Path("ui/package-lock.json").read_text())["packages"].items():
        folder = pathlib.Path("ui") / path
        if path and not package.get("dev") and folder.is_dir():
            yield f"{path.removeprefix('node_modules/')} {package['version']}", package.get("license", ""), folder


def main():
    every = set(crates()) | set(npm_packages())
    # Each text is printed once: most crates have the same Apache licence.
    seen = {}
    for name, licence, folder in sorted(every):
        print(f"== {name}: {licence}")
        for path in texts(folder):
            text = path.read_text(errors="replace").strip()
            first = seen.setdefault(text, name)
            print(f"\n{text}\n" if first == name else f"   {path.name}: as of {first}")


main()
