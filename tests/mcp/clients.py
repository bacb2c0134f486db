"""Tests `oriel mcp` with other programs: the official Python client, in the current protocol version and the one before, and the
inspector's command line. Everything runs under strace: no process may use the network.

    python clients.py ORIEL LIBRARY [INSPECTOR…]

The library contains the sample folder. Prints what it checked; fails at the first error.
"""

import asyncio
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import mcp

ORIEL, LIBRARY, *INSPECTOR = sys.argv[1:]
TOOLS = ["search", "fetch", "ask", "verify", "mentions", "status"]


def traced(log):
    """The command that starts the server, under strace if that is installed."""
    command = [ORIEL, "--library", LIBRARY, "mcp"]
    if shutil.which("strace"):
        strace = ["strace", "--follow-forks", "--seccomp-bpf", "--trace=%network", "--output", log]
        command = strace + command
    return command


def network_calls(log):
    if not pathlib.Path(log).exists():
        print("not checked: strace is not here")
        return []
    lines = pathlib.Path(log).read_text().splitlines()
    return [line for line in lines if "(" in line and "+++" not in line and "---" not in line]


def result(answer):
    """The result of a tool. Its text equals the structured content, for clients that support only text."""
    assert not answer.is_error, answer.content[0].text
    assert json.loads(answer.content[0].text) == answer.structured_content
    return answer.structured_content


async def ask(mode, log):
    command = traced(log)
    server = mcp.StdioServerParameters(command=command[0], args=command[1:])
    begun = time.monotonic()
    async with mcp.Client(server, mode=mode) as client:
        listed = (await client.list_tools()).tools
        print(f"{mode}: protocol {client.protocol_version}, ready after {time.monotonic() - begun:.2f} s")
        assert [tool.name for tool in listed] == TOOLS, listed
        assert all(tool.annotations.read_only_hint and not tool.annotations.open_world_hint for tool in listed)

        found = result(await client.call_tool("search", {"query": "How long does the battery last?", "limit": 3}))
        hit = found["results"][0]
        assert {"id", "title", "url", "path", "span", "sha256", "sentence", "window"} <= hit.keys(), hit
        file = pathlib.Path(hit["path"]).read_bytes()
        assert hashlib.sha256(file).hexdigest() == hit["sha256"]
        assert hit["sentence"] in hit["window"]["text"]

        document = result(await client.call_tool("fetch", {"id": hit["id"]}))
        assert {"id", "title", "text", "url", "metadata"} <= document.keys(), document
        assert document["metadata"]["span"]["start"] == 0, "the document is short"
        start, end = hit["span"]["start"], hit["span"]["end"]
        assert document["text"].encode()[start:end].decode() == hit["sentence"]
        text = (await client.read_resource(document["url"])).contents[0].text
        assert text == document["text"]
        window = (await client.read_resource(hit["url"])).contents[0].text
        assert window == hit["window"]["text"]
        resources = (await client.list_resources()).resources
        assert document["url"] in [str(one.uri) for one in resources]

        heard = []

        async def on_progress(progress, total, message):
            heard.append(message)

        arguments = {"question": "How many days off does everyone get in a year?", "quotes": True}
        answer = result(await client.call_tool("ask", arguments, progress_callback=on_progress))
        assert not answer["abstained"] and answer["sentences"][0]["verdict"] == "supported", answer
        cited = answer["sentences"][0]["citations"][0]
        assert any(passage["n"] == cited for passage in answer["passages"])
        assert any("passages found" in message for message in heard), heard

        quote = answer["sentences"][0]["text"]
        verified = result(await client.call_tool("verify", {"claim": quote}))
        assert verified["verdict"] == "supported" and verified["places"][0]["span"], verified
        counted = result(await client.call_tool("mentions", {"thing": "battery"}))
        assert counted["documents"] == len(counted["mentioning"]) > 0, counted
        status = result(await client.call_tool("status"))
        assert counted["coverage"]["searched"] == status["documents"]["read"], status

        wrong = await client.call_tool("search", {"question": "?"})
        assert wrong.is_error and "query" in wrong.content[0].text, wrong
        wrong = await client.call_tool("fetch", {"id": "999999"})
        assert wrong.is_error and "search again" in wrong.content[0].text, wrong


def inspect(inspector):
    for arguments, wanted in [
        (["--method", "tools/list"], "notice period"),
        (["--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=battery"], "sha256"),
        (["--method", "resources/templates/list"], "oriel://document/{id}"),
    ]:
        command = inspector + ["--cli", ORIEL, "--library", LIBRARY, "mcp"] + arguments
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert ran.returncode == 0 and wanted in ran.stdout, f"{arguments}: {ran.stdout}\n{ran.stderr}"
        print(f"inspector: {arguments[1]}")


with tempfile.TemporaryDirectory() as place:
    for mode in ["auto", "legacy"]:
        log = f"{place}/{mode}"
        asyncio.run(ask(mode, log))
        calls = network_calls(log)
        assert not calls, calls
if INSPECTOR:
    inspect(INSPECTOR)
