"""Times llama.cpp's own server, in xllamacpp, with the prompts of `benches/generator.rs` on the same model file."""

import json
import statistics
import time
from pathlib import Path

import figures

ARGUMENTS = figures.arguments(__doc__)
OUT = figures.Out(ARGUMENTS.out)
INPUT = json.loads((Path(ARGUMENTS.inputs) / "prompts.json").read_text(encoding="utf-8"))


def generation(server, user):
    """Tokens of the prompt, seconds to the first token, tokens per second after it."""
    messages = [{"role": "system", "content": INPUT["system"]}, {"role": "user", "content": user}]
    request = {"messages": messages, "max_tokens": INPUT["max_tokens"], "temperature": 0, "repeat_penalty": 1.05}
    request |= {"stream": True, "stream_options": {"include_usage": True}, "cache_prompt": True}
    seen = {}

    def piece(event):
        if any(choice["delta"].get("content") for choice in event["choices"]):
            seen.setdefault("first", time.perf_counter())
        seen["usage"] = event.get("usage")
        return False

    start = time.perf_counter()
    server.handle_chat_completions(request, piece)
    end = time.perf_counter()
    usage = seen["usage"]
    speed = (usage["completion_tokens"] - 1) / (end - seen["first"])
    return usage["prompt_tokens"], seen["first"] - start, speed


def xllamacpp(peer):
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = INPUT["model"]
    # Only errors and warnings.
    parameters.verbosity = 2
    parameters.n_ctx, parameters.n_parallel, parameters.n_gpu_layers = 4096, 1, 0
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = ARGUMENTS.threads
    server = xllamacpp.Server(parameters)
    for prompt in INPUT["prompts"]:
        what = prompt["figure"]
        runs = [generation(server, user) for user in prompt["users"]]
        tokens, first, speed = (statistics.median(column) for column in zip(*runs))
        print(f"generator, {what}, {peer}: {tokens} tokens")
        OUT.record(peer, "generator", f"{what}, first token", first, "s", "less")
        OUT.record(peer, "generator", f"{what}, prompt tokens", tokens / first, "1/s", "more")
        OUT.record(peer, "generator", f"{what}, written tokens", speed, "1/s", "more")


figures.each_peer({"xllamacpp": xllamacpp})
