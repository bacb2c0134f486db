"""Publishes a library to a real Milvus server, searches it there, and tests the behaviour on errors.

    python library.py ORIEL LIBRARY MILVUS

LIBRARY contains the sample folder, MILVUS is the folder of the wheel milvus-lite 2.5.1. Prints what it checked; fails at the first
error.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ORIEL, LIBRARY, MILVUS = sys.argv[1:]
# Questions for the sample, of several kinds: words, meaning, a table, German, an identifier, nothing.
QUESTIONS = [
    "How long does the battery last?",
    "What does fault code E4 mean on the harbour clock?",
    "Which serial numbers are covered by the recall?",
    "What is the trade discount in the current price list?",
    "Who repaired the tower clock?",
    "Wann muss die Miete gezahlt werden?",
    "When is the rent due?",
    "What was decided about the apprentices?",
    "How is the pendulum adjusted?",
    "Why was the delivery late?",
    "Which clocks are waterproof?",
    "How warm may the workshop be?",
    "What does the warranty not cover?",
    "Who is on the board?",
    "How many clocks were sold in March?",
    "What happened to HC-4711X?",
    "What is the price of a spring?",
    "Wie lange ist die Kündigungsfrist?",
    "What must be done before the clock is opened?",
    "Is there a discount for schools?",
]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def run(library, *arguments, trace=None):
    """A command's exit code, standard output and standard error."""
    command = [ORIEL, "--library", str(library), *arguments]
    if trace and shutil.which("strace"):
        command = ["strace", "--follow-forks", "--trace=%network,execve", "--output", trace, *command]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def works(library, *arguments, trace=None):
    """Runs a command, which must succeed; returns its output as JSON."""
    code, out, said = run(library, *arguments, "--json", trace=trace)
    assert code == 0, (arguments, said)
    return json.loads(out)


def refused(library, wanted, *arguments):
    """Runs a command, which must fail with one line that contains `wanted`."""
    code, _, said = run(library, *arguments)
    assert code != 0 and wanted in said and len(said.strip().splitlines()) == 1, (arguments, code, said)
    print(f"refused: {said.strip()}")


def callers(trace):
    """The names of the programs that made network calls."""
    if not pathlib.Path(trace).exists():
        print("not checked: strace is not here")
        return None
    names, found = {}, set()
    for line in pathlib.Path(trace).read_text().splitlines():
        process, call = line.split(None, 1)
        if program := re.match(r'execve\("([^"]+)".*= 0', call):
            names[process] = pathlib.Path(program[1]).name
        elif re.match(r"(socket|connect|bind|send|recv)\w*\(", call) and "AF_UNIX" not in call:
            found.add(names.get(process, process))
    return found


def serve():
    """A server that listens only on this computer."""
    lib = pathlib.Path(MILVUS) / "milvus_lite" / "lib"
    return subprocess.Popen(
        [lib / "milvus", data / "milvus.db", f"127.0.0.1:{port}", "ERROR"],
        env={**os.environ, "LD_LIBRARY_PATH": str(lib)},
        cwd=data,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def until(check, seconds=60):
    """Waits until a condition is true."""
    begun = time.monotonic()
    while not check():
        assert time.monotonic() - begun < seconds, "it takes too long"
        time.sleep(0.2)


def passages(library, question):
    found = works(library, "search", question)["passages"]
    return [(passage["path"], passage["start"], passage["end"], passage["text"]) for passage in found]


home = tempfile.TemporaryDirectory()
data = pathlib.Path(home.name)
trace = str(data / "trace")
ENVIRONMENT = {**os.environ, "XDG_DATA_HOME": home.name, "XDG_STATE_HOME": home.name}
port = free_port()
address = f"http://127.0.0.1:{port}"
reader, second = data / "reader", data / "second"
documents = data / "documents"
documents.mkdir()

refused(LIBRARY, "is not the address of an index", "publish", "--to", "ftp://host", "--collection", "sample")
refused(LIBRARY, "cannot be the name", "publish", "--to", address, "--collection", "a b")
refused(LIBRARY, "is not published", "publish")
refused(reader, f"127.0.0.1:{port}", "connect", address, "--collection", "sample")
# Nothing is sent to another computer before the user allows it.
for command in (["publish", "--to"], ["connect"]):
    arguments = [*command, "milvus.northwind.example", "--collection", "sample"]
    code, _, said = run(LIBRARY if command[0] == "publish" else reader, *arguments, trace=trace)
    assert code != 0 and "milvus.northwind.example" in said and "--yes" in said, said
    assert callers(trace) in (set(), None), callers(trace)
print("another computer is named first, and nothing connects")
key = data / "key"
key.write_text("ada:secret\n")
key.chmod(0o644)
refused(reader, "chmod 600", "connect", address, "--collection", "sample", "--key-file", str(key))

server = serve()
try:
    until(lambda: "publish a library there first" in run(reader, "connect", address, "--collection", "sample")[2])
    # A killed publication is continued.
    begin = ["publish", "--to", address, "--collection", "sample"]
    killed = subprocess.Popen([ORIEL, "--library", LIBRARY, *begin], env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    assert killed.stderr.readline().startswith("publishing 0 of")
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    published = works(LIBRARY, *begin, trace=trace)
    assert callers(trace) in ({"oriel-remote-index"}, None), callers(trace)
    held = published["index"]
    status = works(LIBRARY, "status")
    assert held["sentences"] == status["sentences"] and published["waiting"] == 0, (published, status)
    again = works(LIBRARY, "publish")
    assert (again["sent"], again["removed"]) == (0, 0), again
    print(f"published: {held['documents']} documents, {held['sentences']} sentences")

    refused(reader, "has no collection 'samples'; it has sample", "connect", address, "--collection", "samples")
    connected = works(reader, "connect", address, "--collection", "sample")["index"]
    assert connected["documents"] == held["documents"], connected
    shown = works(reader, "status")
    assert shown["reads_from"]["collection"] == "sample" and shown["documents"] == held["documents"], shown

    equal = sum(passages(LIBRARY, question) == passages(reader, question) for question in QUESTIONS)
    assert equal >= 0.95 * len(QUESTIONS), f"{equal} of {len(QUESTIONS)}"
    print(f"equal passages: {equal} of {len(QUESTIONS)}")
    for command in ("ask", "verify"):
        text = QUESTIONS[0] if command == "ask" else "The battery lasts ten years."
        here, there = works(LIBRARY, command, text), works(reader, command, text, trace=trace)
        same = ("answer", "sentences") if command == "ask" else ("verdict", "places")
        assert all(here[part] == there[part] for part in same), (here, there)
        assert callers(trace) in ({"oriel-remote-index"}, None), callers(trace)
    print("asked and verified: the same, and only oriel-remote-index connects")
    path = passages(reader, QUESTIONS[0])[0][0]
    begin_at = works(LIBRARY, "show", path)["sentences"][0]["start"]
    texts = [works(library, "show", path)["text"].encode()[begin_at:] for library in (LIBRARY, reader)]
    assert texts[0] == texts[1]
    refused(reader, "only the library that publishes it", "add", str(documents))
    refused(reader, "only the library that publishes it", "index")
    refused(LIBRARY, "folders of its own", "connect", address, "--collection", "sample")

    # A second writer, until it takes over; then the first.
    (documents / "gulls.txt").write_text("The gulls of Ravensey are loud.")
    for command in (["add", str(documents)], ["index"]):
        assert run(second, *command)[0] == 0
    refused(second, "another library writes", "publish", "--to", address, "--collection", "sample")
    works(second, "publish", "--to", address, "--collection", "gulls")

    # Changes of a watched library are published automatically, also after the server was killed.
    watch = subprocess.Popen([ORIEL, "--library", str(second), "watch"], env=ENVIRONMENT, stderr=subprocess.DEVNULL)
    try:
        gulls = data / "gulls"
        works(gulls, "connect", address, "--collection", "gulls")
        (documents / "seals.txt").write_text("The seals of Ravensey sleep at noon.")
        until(lambda: any("seals" in found[0] for found in passages(gulls, "When do the seals sleep?")))
        server.send_signal(signal.SIGKILL)
        server.wait()
        code, _, said = run(gulls, "search", "When do the seals sleep?")
        assert code != 0 and "does not answer" in said, said
        print(f"the server is gone: {said.strip()}")
        (documents / "gulls.txt").unlink()
        server = serve()
        until(lambda: run(gulls, "search", "gulls")[0] == 0)
        until(lambda: not any("gulls.txt" in found[0] for found in passages(gulls, "Are the gulls loud?")))
        print("it is back, and what changed meanwhile is there")
    finally:
        watch.kill()
        watch.wait()

    taken = works(second, "publish", "--to", address, "--collection", "sample", "--take-over")
    assert taken["sent"] == 1, taken
    refused(LIBRARY, "another library writes", "publish")
    assert works(LIBRARY, "status")["publishes_to"]["collection"] == "sample"
    works(LIBRARY, "publish", "--stop")
    works(reader, "disconnect")
    assert works(reader, "status")["documents"] == 0
finally:
    server.kill()
    server.wait()
