#!/usr/bin/env python3
"""Makes small encoders with random weights and records what PyTorch computes with them, for the tests of crates/models.

Needs torch, transformers, sentence-transformers and tokenizers. Run from the repository's root:

    python3 models/reference_encoders.py

Each model goes to a folder of its own in models/reference/encoders, as its library saves it, with expected.json beside
it. The weights are rounded to 16 bits before anything is computed.
"""

import json
import pathlib
import shutil
import tempfile

import torch
from safetensors.torch import load_file, save_file
from sentence_transformers import CrossEncoder, SentenceTransformer
from sentence_transformers.base.modules import Dense, Normalize, Transformer
from sentence_transformers.sentence_transformer.modules import LayerNorm, Pooling
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertModel,
    ModernBertConfig,
    ModernBertForSequenceClassification,
    ModernBertModel,
    PreTrainedTokenizerFast,
    XLMRobertaConfig,
    XLMRobertaForSequenceClassification,
    XLMRobertaModel,
)

OUT = pathlib.Path(__file__).parent / "reference" / "encoders"
WORDS = (
    "the heron waits by weir where does wait an oriel is window that juts out of house carried brackets rather than "
    "ground invoice amounts to euro including tax lease ends in may rain falls on old bridge ferry leaves at noon "
    "treaty was signed crew wrote down wind water and mood größe straße 東京 首都 город дом"
).split()
SIZES = {"hidden_size": 32, "num_hidden_layers": 4, "num_attention_heads": 2, "intermediate_size": 48}


def text(start, count):
    """`count` words from the list, `start` and its multiples away from each other."""
    return " ".join(WORDS[(start * n + n * n // 3) % len(WORDS)] for n in range(1, count + 1))


# Short and long ones, some beyond the window of local attention, which is 16 tokens wide.
TEXTS = ["", "heron", "Where does the heron wait?", *(text(n, n * 7) for n in range(1, 10)), "unheard-of: größe!"]
PAIRS = [
    ("Where does the heron wait?", "The heron waits by the weir."),
    ("Where does the heron wait?", ""),
    ("", "rain falls on the old bridge"),
    *((text(n, 5), text(n + 1, n * 6)) for n in range(1, 9)),
]


def words_tokenizer():
    """Whole words, in BERT's frame."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = {word: n for n, word in enumerate([*special, ".", "?", ":", "-", "!", *dict.fromkeys(WORDS)])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]",
        model_max_length=256,
    )  # fmt: skip


def pieces_tokenizer():
    """Pieces of words, in XLM-RoBERTa's frame."""
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    letters = sorted(set("".join(WORDS)) | set("abcdefghijklmnopqrstuvwxyz.,:?!-\u2581"))
    pieces = [(f"\u2581{word}", -3.0 - len(word) / 8) for word in dict.fromkeys(WORDS)]
    vocabulary = [(piece, 0.0) for piece in special] + pieces + [(letter, -9.0) for letter in letters]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=3))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>", cls_token="<s>", sep_token="</s>",
        model_max_length=256,
    )  # fmt: skip


def randomised(module):
    """The module with weights large enough to tell texts apart, rounded to 16 bits."""
    for name, value in module.named_parameters():
        if value.dim() == 1:
            fresh = torch.randn_like(value) * 0.1 + (1.0 if name.endswith("weight") else 0.0)
        else:
            fresh = torch.randn_like(value) * (0.7 / value.shape[-1] ** 0.5)
        value.copy_(fresh.half().float())
    return module.eval()


def modern(tokenizer, **more):
    return ModernBertConfig(
        **SIZES, vocab_size=len(tokenizer), max_position_embeddings=512, local_attention=16,
        pad_token_id=tokenizer.pad_token_id, cls_token_id=2, sep_token_id=3, bos_token_id=2, eos_token_id=3, **more,
    )  # fmt: skip


def roberta(tokenizer, **more):
    return XLMRobertaConfig(
        **SIZES, vocab_size=len(tokenizer), max_position_embeddings=130, type_vocab_size=1, pad_token_id=1,
        layer_norm_eps=1e-5, **more,
    )  # fmt: skip


def saved(model, tokenizer):
    """A folder with the model, for libraries that only load from one."""
    folder = tempfile.mkdtemp()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def keep(name, save, expected):
    """Saves a model in 16 bits with what is expected of it."""
    folder = OUT / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    save(folder)
    for path in folder.rglob("*.safetensors"):
        save_file({key: value.half() for key, value in load_file(path).items()}, path, {"format": "pt"})
    wanted = {"config.json", "tokenizer.json", "modules.json", "config_sentence_transformers.json"}
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.name not in wanted and path.suffix != ".safetensors":
            path.unlink()
    for path in [path for path in folder.rglob("*") if path.is_dir() and not any(path.iterdir())]:
        path.rmdir()
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in expected)
    (folder / "expected.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def rounded(values):
    return [float(f"{value:.6g}") for value in values]


def embedder(name, model, tokenizer, pooling, dense=None, prompts=None):
    transformer = Transformer(saved(randomised(model), tokenizer))
    modules = [transformer, Pooling(SIZES["hidden_size"], pooling_mode=pooling)]
    if dense:
        modules.append(randomised(dense))
    model = SentenceTransformer(modules=[*modules, Normalize()], device="cpu", prompts=prompts).eval()
    rows = []
    for text in TEXTS:
        query, passage = model.encode_query(text), model.encode_document(text)
        rows.append({"text": text, "query": rounded(query), "passage": rounded(passage)})
    keep(name, lambda folder: model.save(str(folder)), rows)


def reranker(name, model, tokenizer):
    randomised(model)
    rows = []
    for query, passage in PAIRS:
        # As a batch: asked for one pair, transformers takes an empty second text for none.
        pair = tokenizer([query], [passage], return_tensors="pt", return_token_type_ids=False)
        logit = model(**pair).logits[0, 0]
        rows.append({"query": query, "passage": passage, "logit": logit.item()})
    keep(name, lambda folder: (model.save_pretrained(folder), tokenizer.save_pretrained(folder)), rows)


def modules_reranker(name, model, tokenizer):
    hidden = SIZES["hidden_size"]
    transformer = Transformer(saved(randomised(model), tokenizer))
    head = [
        Dense(hidden, hidden, bias=False, activation_function=torch.nn.GELU()),
        LayerNorm(hidden),
        Dense(hidden, 1, activation_function=torch.nn.Identity(), module_output_name="scores"),
    ]
    modules = [transformer, Pooling(hidden, pooling_mode="cls"), *map(randomised, head)]
    model = CrossEncoder(modules=modules, device="cpu").eval()
    logits = model.predict(PAIRS, activation_fn=torch.nn.Identity())
    rows = [{"query": q, "passage": p, "logit": float(logit)} for (q, p), logit in zip(PAIRS, logits)]
    keep(name, lambda folder: model.save_pretrained(str(folder)), rows)


def main():
    torch.set_grad_enabled(False)
    torch.manual_seed(26)
    words, pieces = words_tokenizer(), pieces_tokenizer()
    embedder("modernbert-embedder", ModernBertModel(modern(words)), words, "cls")
    bert = BertConfig(**SIZES, vocab_size=len(pieces), max_position_embeddings=128, pad_token_id=0)
    dense = Dense(SIZES["hidden_size"], 40, activation_function=torch.nn.Identity())
    prompts = {"query": "query: ", "document": "passage: "}
    embedder("bert-dense-embedder", BertModel(bert, add_pooling_layer=False), pieces, "mean", dense, prompts)
    embedder("xlmr-embedder", XLMRobertaModel(roberta(pieces), add_pooling_layer=False), pieces, "mean")
    reranker("xlmr-reranker", XLMRobertaForSequenceClassification(roberta(pieces, num_labels=1)), pieces)
    config = modern(words, num_labels=1, classifier_pooling="mean")
    reranker("modernbert-reranker", ModernBertForSequenceClassification(config), words)
    modules_reranker("ettin-reranker", ModernBertModel(modern(words)), words)


if __name__ == "__main__":
    main()
