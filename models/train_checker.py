"""Fine-tune a BERT cross-encoder into a check of claims: (claim, passage) -> supported, contradicted, not found.

Usage: train_checker.py --start MODEL_DIR --data DIR --out DIR --minutes M [--threads N] [--bf16] [--lr 1e-4]
       train_checker.py --data DIR --evaluate MODEL_DIR

MODEL_DIR holds config.json, tokenizer.json and model.safetensors (oriel-reranker-v1, oriel-reader-v1, or a result of this
script). DIR holds train.jsonl and dev.jsonl (or .xz): {"claim", "passage", "label", "source", "kind"}.

Loss: cross-entropy over the three labels, plus binary cross-entropy of supported against the rest. Claims that people wrote
are drawn twice as often as claims made by rule. Word embeddings stay as they are: words that the data lack keep their
meaning, and a step is cheaper. The learning rate follows the clock, so a run ends when asked. OUT/last.pt resumes a run;
OUT/model is the moving average of the weights in f16, in Hugging Face's names of BertForSequenceClassification.
"""

import argparse
import collections
import json
import lzma
import os
import random
import shutil
import time

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertForSequenceClassification

LABELS = ["supported", "contradicted", "not-found"]
MAX_TOKENS = 320


def records(folder, name):
    path = os.path.join(folder, name)
    lines = open(path, encoding="utf-8") if os.path.exists(path) else lzma.open(path + ".xz", "rt", encoding="utf-8")
    with lines:
        return [json.loads(line) for line in lines]


def tokenizer(folder):
    result = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    result.enable_truncation(MAX_TOKENS, strategy="only_second")
    result.no_padding()
    return result


def load(folder):
    config = BertConfig.from_pretrained(
        folder, num_labels=3, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0
    )
    config._attn_implementation = "eager"  # the fastest on a CPU at these lengths
    model = BertForSequenceClassification(config)
    weights = {name: value.float() for name, value in load_file(os.path.join(folder, "model.safetensors")).items()}
    weights = {name: value for name, value in weights.items() if not name.startswith("qa_outputs.")}
    if weights["classifier.weight"].shape[0] == 1:
        # One logit of relevance: relevance is a start for "supported".
        weights["classifier.weight"] = torch.cat([weights["classifier.weight"], torch.randn(2, config.hidden_size) * 0.02])
        weights["classifier.bias"] = torch.zeros(3)
    left = model.load_state_dict(weights, strict=False)
    assert not left.unexpected_keys, left.unexpected_keys
    assert all("position_ids" in name or "token_type_ids" in name for name in left.missing_keys), left.missing_keys
    model.bert.embeddings.word_embeddings.weight.requires_grad_(False)
    return model


def batches(encoded, order, tokens):
    """Rows of similar length, at most `tokens` tokens with padding in each batch."""
    for at in range(0, len(order), 2048):
        pool = sorted(order[at : at + 2048], key=lambda row: len(encoded[row]))
        part, parts = [], []
        for row in pool:
            if part and (len(part) + 1) * len(encoded[row]) > tokens:
                parts.append(part)
                part = []
            part.append(row)
        parts.append(part)
        random.shuffle(parts)
        yield from parts


def forward(model, encoded, part, bf16):
    width = max(len(encoded[row]) for row in part)
    fill = lambda take: torch.tensor([list(take(encoded[row])) + [0] * (width - len(encoded[row])) for row in part])
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bf16):
        out = model(
            input_ids=fill(lambda e: e.ids),
            attention_mask=fill(lambda e: e.attention_mask),
            token_type_ids=fill(lambda e: e.type_ids),
        )
    return out.logits.float()


def auroc(scores, positive):
    pairs = sorted(zip(scores, positive))
    rank, total, at = 0.0, 0.0, 0
    while at < len(pairs):
        end = at
        while end < len(pairs) and pairs[end][0] == pairs[at][0]:
            end += 1
        rank = (at + 1 + end) / 2
        total += rank * sum(is_positive for _, is_positive in pairs[at:end])
        at = end
    good = sum(positive)
    return (total - good * (good + 1) / 2) / (good * (len(pairs) - good))


@torch.no_grad()
def evaluate(model, rows, encoded, bf16):
    model.eval()
    order = list(range(len(rows)))
    chances = [None] * len(rows)
    for part in batches(encoded, order, 8192):
        for row, chance in zip(part, forward(model, encoded, part, bf16).softmax(-1).tolist()):
            chances[row] = chance
    model.train()
    supported = [chance[0] for chance in chances]
    gold = [LABELS.index(row["label"]) for row in rows]
    true_scores = sorted(score for score, label in zip(supported, gold) if label == 0)
    threshold = true_scores[int(len(true_scores) * 0.05)]
    passing = lambda label: sum(s >= threshold and g == label for s, g in zip(supported, gold)) / gold.count(label)
    by = collections.defaultdict(list)
    for row, score, label in zip(rows, supported, gold):
        by["human" if row["kind"] == "human" else "rule"].append((score, label == 0))
    return {
        "accuracy": sum(chance.index(max(chance)) == label for chance, label in zip(chances, gold)) / len(gold),
        "auroc": auroc(supported, [label == 0 for label in gold]),
        "auroc_human": auroc(*zip(*by["human"])),
        "auroc_rule": auroc(*zip(*by["rule"])),
        "threshold": threshold,
        "contradicted_pass": passing(1),
        "not_found_pass": passing(2),
    }


def shown(figures):
    return " ".join(f"{name} {value:.3f}" for name, value in figures.items())


def save(weights, start, out):
    folder = os.path.join(out, "model")
    os.makedirs(folder, exist_ok=True)
    save_file({name: value.half().contiguous() for name, value in weights.items()}, os.path.join(folder, "model.safetensors"))
    shutil.copy(os.path.join(start, "tokenizer.json"), folder)
    config = json.load(open(os.path.join(start, "config.json"), encoding="utf-8"))
    config.pop("reader", None)
    config["num_labels"] = len(LABELS)
    config["id2label"] = dict(enumerate(LABELS))
    config["label2id"] = {label: at for at, label in enumerate(LABELS)}
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file, indent=2)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--start")
    arguments.add_argument("--data", required=True)
    arguments.add_argument("--out")
    arguments.add_argument("--evaluate", help="a model's folder: print its figures on dev and end")
    arguments.add_argument("--minutes", type=float, default=60)
    arguments.add_argument("--threads", type=int, default=os.cpu_count())
    arguments.add_argument("--bf16", action="store_true", help="faster where the CPU has AVX512-BF16 or AMX, slower elsewhere")
    arguments.add_argument("--lr", type=float, default=1e-4)
    arguments.add_argument("--flat", type=float, default=0.4, help="share of the time before the rate falls")
    arguments.add_argument("--tokens", type=int, default=4096, help="tokens in a step")
    arguments.add_argument("--ema", type=float, default=0.998)
    arguments.add_argument("--dev-every", type=float, default=10, help="minutes")
    arguments.add_argument("--seed", type=int, default=5)
    a = arguments.parse_args()
    random.seed(a.seed)
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    dev = records(a.data, "dev.jsonl")
    if a.evaluate:
        encoded = tokenizer(a.evaluate).encode_batch([(row["claim"], row["passage"]) for row in dev])
        print(shown(evaluate(load(a.evaluate), dev, encoded, a.bf16)))
        return
    tokens = tokenizer(a.start)
    encode = lambda rows: tokens.encode_batch([(row["claim"], row["passage"]) for row in rows])
    train = records(a.data, "train.jsonl")
    encoded, encoded_dev = encode(train), encode(dev)
    labels = [LABELS.index(row["label"]) for row in train]
    human = [at for at, row in enumerate(train) if row["kind"] == "human"]
    model = load(a.start)
    model.train()
    learned = [(name, value) for name, value in model.named_parameters() if value.requires_grad]
    plain = [value for name, value in learned if value.ndim < 2]
    heavy = [value for name, value in learned if value.ndim >= 2]
    optimizer = torch.optim.AdamW([{"params": heavy, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=a.lr)
    average = {name: value.clone() for name, value in model.state_dict().items() if value.is_floating_point()}
    spent, step = 0.0, 0
    os.makedirs(a.out, exist_ok=True)
    last = os.path.join(a.out, "last.pt")
    if os.path.exists(last):
        state = torch.load(last)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        average, spent, step = state["average"], state["spent"], state["step"]
        random.seed(a.seed + step)
    total = a.minutes * 60
    begun, evaluated, losses, seen = time.time() - spent, time.time(), [], 0
    while time.time() - begun < total:
        order = list(range(len(train))) + human
        random.shuffle(order)
        for part in batches(encoded, order, a.tokens):
            done = (time.time() - begun) / total
            if done >= 1:
                break
            rate = a.lr * min(1, (step + 1) / 200) * min(1, max(0.02, (1 - done) / (1 - a.flat)))
            for group in optimizer.param_groups:
                group["lr"] = rate
            logits = forward(model, encoded, part, a.bf16)
            gold = torch.tensor([labels[row] for row in part])
            margin = logits[:, 0] - torch.logsumexp(logits[:, 1:], 1)
            loss = F.cross_entropy(logits, gold) + 0.5 * F.binary_cross_entropy_with_logits(margin, (gold == 0).float())
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_([value for _, value in learned], 1.0)
            optimizer.step()
            step, seen = step + 1, seen + len(part)
            losses.append(loss.item())
            keep = min(a.ema, step / (step + 10))
            with torch.no_grad():
                for name, value in model.state_dict().items():
                    if name in average:
                        average[name].lerp_(value, 1 - keep)
            if time.time() - evaluated > a.dev_every * 60:
                model_now = {name: value.clone() for name, value in model.state_dict().items()}
                model.load_state_dict(average, strict=False)
                figures = evaluate(model, dev, encoded_dev, a.bf16)
                model.load_state_dict(model_now)
                minutes = (time.time() - begun) / 60
                print(f"{minutes:.0f} min, step {step}, {seen} claims, loss {sum(losses) / len(losses):.3f}: {shown(figures)}", flush=True)
                losses = []
                save(average, a.start, a.out)
                state = {"model": model_now, "optimizer": optimizer.state_dict(), "average": average, "step": step}
                torch.save({**state, "spent": time.time() - begun}, last + ".new")
                os.replace(last + ".new", last)
                evaluated = time.time()
    model.load_state_dict(average, strict=False)
    print(f"end, step {step}, {seen} claims: {shown(evaluate(model, dev, encoded_dev, a.bf16))}", flush=True)
    save(average, a.start, a.out)


if __name__ == "__main__":
    main()
