"""Tests answers written by a real llama.cpp server, and the behaviour when it fails.

    python server.py ORIEL LIBRARY MODEL.gguf

The library contains the sample folder. Prints what it checked; fails at the first error.
"""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

ORIEL, LIBRARY, MODEL = sys.argv[1:]
QUESTION = "How long does the battery last?"
SERVER = """
import sys, time, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx, params.port = 4096, int(sys.argv[2])
server = xllamacpp.Server(params)
print("ready", flush=True)
sys.stdin.read()
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def run(*arguments, trace=None):
    """The command's standard output and standard error, with a separate list of servers."""
    command = [ORIEL, "--library", LIBRARY, *arguments]
    if trace and shutil.which("strace"):
        command = ["strace", "--follow-forks", "--trace=%network,execve", "--output", trace, *command]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def refused(wanted, *arguments):
    """Runs a command, which must fail with one line that contains `wanted`."""
    code, _, said = run(*arguments)
    assert code != 0 and wanted in said, (arguments, code, said)
    print(f"refused: {said.strip().splitlines()[-1]}")


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


home = tempfile.TemporaryDirectory()
trace = os.path.join(home.name, "trace")
ENVIRONMENT = {**os.environ, "XDG_DATA_HOME": home.name, "XDG_STATE_HOME": home.name}
port = free_port()
address = f"127.0.0.1:{port}"

refused("is not the address of a server", "models", "connect", "ftp://host")
refused(f"127.0.0.1:{port}", "models", "connect", address)
# Nothing is sent to another computer before the user allows it.
code, _, said = run("models", "connect", "https://gpu.northwind.example/v1", trace=trace)
assert code != 0 and "gpu.northwind.example" in said and "--yes" in said, said
assert callers(trace) in (set(), None), callers(trace)
print("another computer is named first, and nothing connects")

server = subprocess.Popen(
    [sys.executable, "-c", SERVER, MODEL, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
)
try:
    assert server.stdout.readline().strip() == b"ready"
    refused("has no model 'none'", "models", "connect", address, "--model", "none")
    code, listed, said = run("models", "connect", address, "--json")
    assert code == 0, said
    models = [model for model in json.loads(listed)["models"] if model["state"] == "served"]
    assert len(models) == 1 and models[0]["server"]["is_local"], models
    name, context = models[0]["id"], models[0]["context_length"]
    assert context == 4096, context
    print(f"connected: {name}, {context} tokens")

    code, out, said = run("ask", "--json", "--model", name, QUESTION, trace=trace)
    answer = json.loads(out)
    assert code == 0 and answer["model"] == name, (answer, said)
    assert "receives" not in said, "this computer is nobody else"
    assert any(sentence["places"] for sentence in answer["sentences"]), answer
    assert callers(trace) in ({"oriel-remote"}, None), callers(trace)
    print(f"answered: {answer['answer']}")
finally:
    server.kill()
    server.wait()

code, out, said = run("ask", "--json", "--model", name, QUESTION)
answer = json.loads(out)
assert code == 0 and answer["model"] == "quotes" and answer["sentences"], answer
assert f"127.0.0.1" in said and "quotes" in said, said
print(f"the server is gone: {said.strip()}")

assert run("models", "remove", name)[0] == 0
refused("there is no model", "ask", "--model", name, QUESTION)
