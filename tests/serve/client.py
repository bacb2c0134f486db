"""Tests `oriel serve` with OpenAI's own client. Everything runs under strace: only `oriel-serve` may use a socket, and it may
not connect.

    python client.py ORIEL LIBRARY

The library contains the sample folder. Prints what it checked; fails at the first error.
"""

import hashlib
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import openai

ORIEL, LIBRARY = sys.argv[1:]
LOG = pathlib.Path(LIBRARY, "asked-by-programs.jsonl")
CALLS = r"(socket|socketpair|connect|bind|listen|accept4?|send\w*|recv\w*|shutdown|[gs]etsockopt|get\w+name)\("
QUESTION = "How many days off does everyone get in a year?"


def start(log):
    """Starts the server on a free port, under strace if that is installed; returns its address and its key."""
    command = [ORIEL, "--library", LIBRARY, "--json", "serve", "--port", "0"]
    if shutil.which("strace"):
        # The tracer is not the parent, so that Ctrl-C reaches Oriel.
        calls = ["--follow-forks", "--trace=%network,%process", "--string-limit=400", "--output", log]
        command = ["strace", "--daemonize", *calls, *command]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    said = json.loads(server.stdout.readline())
    key = pathlib.Path(said["key"])
    assert key.stat().st_mode & 0o777 == 0o600, oct(key.stat().st_mode)
    return server, said["address"], key.read_text().strip()


def ask(client):
    models = {model.id: model for model in client.models.list()}
    assert len(models) == 2 and "oriel" in models, models
    embedder = next(one for one in models if one != "oriel")
    print(f"models: {models['oriel'].generator} answers, {embedder} makes vectors")

    asked = [{"role": "user", "content": QUESTION}]
    begun = time.monotonic()
    answer = client.chat.completions.create(model="oriel", messages=asked, temperature=0).choices[0].message
    print(f"answer after {time.monotonic() - begun:.1f} s: {answer.content}")
    assert "27 days" in answer.content and "[1]" in answer.content, answer
    cited = answer.citations[0]
    assert {"n", "id", "title", "url", "path", "span", "sha256", "sentence", "window"} <= cited.keys(), cited
    assert "27 days" in cited["sentence"] and cited["sentence"] in cited["window"]["text"], cited
    assert hashlib.sha256(pathlib.Path(cited["path"]).read_bytes()).hexdigest() == cited["sha256"]
    mark = answer.annotations[0].url_citation
    assert re.fullmatch(r"\[\d+\]", answer.content[mark.start_index : mark.end_index]), mark
    assert mark.url.startswith("oriel://document/"), mark
    assert answer.sentences[0]["verdict"] == "supported", answer.sentences

    asked += [{"role": "assistant", "content": answer.content}, {"role": "user", "content": "And in 2023?"}]
    stream = client.chat.completions.create(
        model="oriel", messages=asked, stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    last = next(chunk for chunk in chunks if chunk.choices and chunk.choices[0].finish_reason)
    assert text and last.choices[0].finish_reason == "stop", chunks
    assert "days off" in last.choices[0].delta.searched, "a follow-up refers to the question before"
    assert chunks[-1].usage.total_tokens >= 0, chunks[-1]
    print(f"streamed {len(chunks)} events: {text}")

    unknown = [{"role": "user", "content": "Who is the king of the moon?"}]
    answer = client.chat.completions.create(model="oriel", messages=unknown).choices[0].message
    assert answer.abstained and answer.citations == [] and answer.annotations == [], answer
    print(f"not in the documents: {answer.content}")

    texts = ["The battery lasts 72 hours.", "Die Batterie hält 72 Stunden."]
    numbers = client.embeddings.create(model=embedder, input=texts, encoding_format="float").data
    packed = client.embeddings.create(model=embedder, input=texts, encoding_format="base64").data
    assert [one.index for one in numbers] == [0, 1]
    assert abs(sum(number * number for number in numbers[0].embedding) - 1) < 1e-3
    plain = client.embeddings.create(model=embedder, input=texts[0])
    assert all(abs(a - b) < 1e-5 for a, b in zip(plain.data[0].embedding, numbers[0].embedding))
    assert isinstance(packed[0].embedding, str) and plain.usage.prompt_tokens > 0
    print(f"vectors of {len(numbers[0].embedding)} numbers")


def refuse(client):
    page = {"Origin": "http://localhost"}
    for error, part, wrong in [
        (openai.AuthenticationError, "key", lambda: client.with_options(api_key="or-wrong").models.list()),
        (openai.PermissionDeniedError, "browser", lambda: client.models.list(extra_headers=page)),
        (openai.NotFoundError, "oriel", lambda: client.chat.completions.create(model="gpt-5", messages=[])),
        (openai.NotFoundError, "embedder", lambda: client.embeddings.create(model="ada", input="x")),
        (openai.BadRequestError, "n is 1", lambda: chat(client, n=2)),
    ]:
        try:
            wrong()
        except error as refused:
            assert part in refused.message, refused
        else:
            raise AssertionError(f"{error.__name__} was expected")


def chat(client, **more):
    return client.chat.completions.create(model="oriel", messages=[{"role": "user", "content": QUESTION}], **more)


def leave(client):
    """The answer is stopped when its client disconnects."""
    before = len(LOG.read_text().splitlines())
    try:
        # Another question, whose prompt is not cached.
        question = "What do the minutes, the letters and the handbook say about days off, rent and repairs?"
        messages = [{"role": "user", "content": question}]
        client.with_options(timeout=0.3).chat.completions.create(model="oriel", messages=messages)
    except openai.APITimeoutError:
        left = time.monotonic()
        while len(lines := LOG.read_text().splitlines()) == before:
            assert time.monotonic() - left < 10, "the answer goes on"
            time.sleep(0.02)
        assert json.loads(lines[-1])["error"] == "cancelled", lines[-1]
        print(f"cancelled {time.monotonic() - left:.2f} s after its client had gone")
    else:
        print("not checked: the answer came before the client could go")


def network_calls(log):
    """The network calls of `oriel-serve`, and those of all other processes."""
    own, others, serving = [], [], set()
    for line in pathlib.Path(log).read_text().splitlines():
        process, call = line.split(maxsplit=1)
        if re.match(r'execve\("[^"]*oriel-serve"', call) and "= -1" not in call:
            serving.add(process)
        elif begun := re.search(r"(?:clone3?|fork|vfork)\b.*= (\d+)", call):
            if process in serving:
                serving.add(begun[1])
        elif re.match(CALLS, call):
            (own if process in serving else others).append(call)
    return own, others


with tempfile.TemporaryDirectory() as place:
    log = f"{place}/strace"
    server, address, key = start(log)
    try:
        client = openai.OpenAI(base_url=address, api_key=key, max_retries=0)
        ask(client)
        refuse(client)
        leave(client)
        programs = {json.loads(line)["program"] for line in LOG.read_text().splitlines()}
        assert all(program.startswith("OpenAI API: OpenAI/Python 3.57.0") for program in programs), programs

        port = address.split(":")[2].split("/")[0]
        taken = subprocess.run(
            [ORIEL, "--library", LIBRARY, "serve", "--port", port], capture_output=True, text=True, timeout=60
        )
        assert taken.returncode == 1 and taken.stderr.count("\n") == 1 and port in taken.stderr, taken.stderr
        print(taken.stderr.strip())
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                known = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
            except OSError:
                continue
            assert key.encode() not in known, "the key is for nobody else to see"
    finally:
        server.send_signal(signal.SIGINT)
        code = server.wait(timeout=60)
    assert code == 0, code
    if shutil.which("strace"):
        # The tracer keeps writing for a moment.
        end = time.monotonic() + 10
        while f"{server.pid} +++ exited" not in pathlib.Path(log).read_text() and time.monotonic() < end:
            time.sleep(0.05)
        own, others = network_calls(log)
        assert others == [], f"the network was used: {others[:5]}"
        assert any(call.startswith("accept") for call in own), "strace saw nothing"
        assert not [call for call in own if call.startswith("connect")], "it connects to nobody"
        asked_for = [call for call in own if call.startswith("socket")]
        assert len(asked_for) == 1, asked_for
        print(f"oriel-serve: {len(own)} calls of the network, one socket, no connection; the others: none")
    else:
        print("not checked: strace is not here")
