#!/usr/bin/env python3
"""Records what the models give in PyTorch, for the tests of crates/models to hold Candle to.

Needs torch and transformers. Run from the repository's root after `make models`:

    python3 models/reference.py EMBEDDER_FOLDER

The vectors and logits go to models/reference/. The texts are our own; they are short and long, plain and odd.
"""

import json
import pathlib
import sys

import torch
from safetensors.torch import load_file
from transformers import AutoModel, AutoModelForSequenceClassification, PreTrainedTokenizerFast

HERE = pathlib.Path(__file__).parent

LONG = " ".join(
    f"On day {day} the crew of the ketch wrote down wind, water and mood, and found the {day * 7 % 31}th page damp."
    for day in range(1, 60)
)

TEXTS = [
    "The heron waits by the weir.",
    "Where does the heron wait?",
    "heron",
    "a",
    "",
    " ",
    "\n\t\n",
    "?",
    "...",
    "An oriel is a window that juts out of a house, carried by brackets rather than by the ground.",
    "The invoice of 14 March 2023 amounts to EUR 1,234.56 including 19 % VAT.",
    "3.14159265358979",
    "0049 (0)30 1234-567 / ext. 89",
    "Die Bürgschaft läuft über fünf Jahre; Änderungen müssen schriftlich erfolgen.",
    "Straße, Größe, Äpfel, Öl, Übermut",
    "La clé était cachée derrière l'église, près du vieux chêne.",
    "El niño soñó con un pingüino.",
    "東京は日本の首都です。",
    "北京的冬天很冷，但是阳光很好。",
    "한국어 문장도 하나 있습니다.",
    "Привет, как дела?",
    "مرحبا بالعالم",
    "שלום עולם",
    "🦉 watches 🐭 under the 🌕",
    "👩‍👩‍👧‍👦",
    "e\u0301 and é are the same letter",
    "zero\u200bwidth and soft\u00adhyphen",
    "ALL CAPITALS SHOUT, small ones whisper",
    "fn main() { println!(\"{}\", 6 * 7); }",
    "https://example.org/a/b?c=d&e=f#g",
    "C:\\Users\\someone\\Documents\\report (final) v2.docx",
    "antidisestablishmentarianism and pneumonoultramicroscopicsilicovolcanoconiosis",
    "x" * 150,
    "The ferry leaves at 07:40, 09:10 and 16:25, except on Sundays, when it leaves only once, at noon, weather permitting.",
    "The treaty was signed in 1648. It ended a war of thirty years, and it was signed in two towns at once, "
    "because the parties would not sit at one table.",
    LONG[:600],
    LONG,
    "[CLS] this [SEP] text names [MASK] special tokens",
    "tabs\tand\u00a0odd\u2003spaces",
    "Is the warranty void if the seal is broken?",
]

PAIRS = [
    ("Where does the heron wait?", "The heron waits by the weir."),
    ("Where does the heron wait?", "The invoice of 14 March 2023 amounts to EUR 1,234.56."),
    ("Where does the heron wait?", ""),
    ("", "The heron waits by the weir."),
    ("", ""),
    ("When was the treaty signed?", "The treaty was signed in 1648. It ended a war of thirty years."),
    ("When was the treaty signed?", "The ferry leaves at 07:40, 09:10 and 16:25, except on Sundays."),
    ("When does the ferry leave on Sundays?", "On Sundays the ferry leaves only once, at noon."),
    ("How much is the invoice?", "The invoice of 14 March 2023 amounts to EUR 1,234.56 including 19 % VAT."),
    ("Wie lange läuft die Bürgschaft?", "Die Bürgschaft läuft über fünf Jahre."),
    ("日本の首都は?", "東京は日本の首都です。"),
    ("who watches", "🦉 watches 🐭 under the 🌕"),
    ("What did the crew of the ketch write down?", LONG),
    ("What did the crew of the ketch write down?", LONG[:700]),
    (LONG, "The crew wrote down wind, water and mood."),
    (LONG, LONG),
    ("oriel window", "An oriel is a window that juts out of a house, carried by brackets."),
    ("Is the warranty void if the seal is broken?", "Breaking the seal ends the warranty at once."),
    ("Is the warranty void if the seal is broken?", "The seal is a mammal that lives in cold water."),
]


def ids(tokenizer, text):
    return tokenizer.encode(text, add_special_tokens=False)


def rounded(values):
    return [float(f"{value:.7g}") for value in values]


def span_layer(folder):
    weights = load_file(folder / "model.safetensors")
    layer = torch.nn.Linear(weights["qa_outputs.weight"].shape[1], 2).double()
    layer.load_state_dict({name: weights[f"qa_outputs.{name}"].double() for name in ("weight", "bias")})
    return layer


def answer_of(starts, ends, first, last):
    """The first and the last token of the best answer, from 0 in the passage, and how far it is above "no answer"."""
    spans = [(i, j) for i in range(first, last) for j in range(i, min(i + 30, last))]
    if not spans:
        return None, 0.0
    i, j = max(spans, key=lambda span: (starts[span[0]] + ends[span[1]]).item())
    return (i - first, j - first), rounded([(starts[i] + ends[j] - starts[0] - ends[0]).item()])[0]


def main(embedder_folder):
    torch.set_grad_enabled(False)
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=f"{embedder_folder}/tokenizer.json")
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    start, end = tokenizer.convert_tokens_to_ids(["[CLS]", "[SEP]"])

    model = AutoModel.from_pretrained(embedder_folder, attn_implementation="eager").double().eval()
    embedded = []
    for text in TEXTS:
        sequence = [start, *ids(tokenizer, text)[:254], end]
        hidden = model(torch.tensor([sequence])).last_hidden_state[0]
        vector = torch.nn.functional.normalize(hidden.mean(dim=0), dim=0)
        embedded.append({"text": text, "tokens": len(sequence), "vector": rounded(vector.tolist())})

    rows = {"embedder": embedded}
    for name, version in [("reranker", 1), ("reader", 3), ("checker", 3)]:
        folder = HERE / f"oriel-{name}-v{version}"
        loaded = AutoModelForSequenceClassification.from_pretrained(folder, attn_implementation="eager")
        model = loaded.double().eval()
        spans = span_layer(folder) if name == "reader" else None
        tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
        tokenizer.backend_tokenizer.no_truncation()
        tokenizer.backend_tokenizer.no_padding()
        limit = 320 if name == "checker" else 512
        rows[name] = []
        for query, passage in PAIRS:
            first = ids(tokenizer, query)[: (limit - 3) // 2]
            second = ids(tokenizer, passage)[: limit - 3 - len(first)]
            sequence = [start, *first, end, *second, end]
            types = [0] * (len(first) + 2) + [1] * (len(second) + 1)
            output = model(torch.tensor([sequence]), token_type_ids=torch.tensor([types]), output_hidden_states=True)
            logits = rounded(output.logits[0].tolist())
            row = {"query": query, "passage": passage, "tokens": len(sequence)}
            if spans:
                starts, ends = spans(output.hidden_states[-1][0]).unbind(-1)
                at = len(first) + 2
                answer, margin = answer_of(starts, ends, at, at + len(second))
                if answer:
                    places = tokenizer(passage, add_special_tokens=False, return_offsets_mapping=True).offset_mapping
                    row["answer"] = passage[places[answer[0]][0] : places[answer[1]][1]]
                rows[name].append({**row, "logit": logits[0], "margin": margin})
            else:
                rows[name].append({**row, "logit": logits[0]} if name == "reranker" else {**row, "logits": logits})

    for name, recorded in rows.items():
        lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in recorded)
        (HERE / "reference" / f"{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
