#!/usr/bin/env python3
"""Records how transformers renders the chat templates in crates/generator/tests/templates, thinking switched off.

    pip install transformers jinja2
    python3 models/reference_templates.py

The texts are those of CASES in crates/generator/src/chat_template.rs. Templates that write the date get a fixed
one, which the test replaces by today's.
"""

import datetime
import json
import pathlib

from transformers.utils import chat_template_utils

FOLDER = pathlib.Path(__file__).parent.parent / "crates/generator/tests/templates"
TOKENS = {
    "gemma3": ("<bos>", "<eos>"),
    "gemma4": ("<bos>", "<eos>"),
    "gpt-oss": ("<|startoftext|>", "<|return|>"),
    "granite4.0": ("<|end_of_text|>", "<|end_of_text|>"),
    "granite4.1": ("<|end_of_text|>", "<|end_of_text|>"),
    "llama3.2": ("<|begin_of_text|>", "<|eot_id|>"),
    "mistral-small-3.2": ("<s>", "</s>"),
    "qwen2.5": ("", "<|im_end|>"),
    "qwen3": ("", "<|im_end|>"),
    "qwen3.5": ("", "<|im_end|>"),
    "smollm3": ("", "<|im_end|>"),
}
CASES = [
    ("You answer from passages.", "How many days off are there?"),
    ("", "How many?"),
    (" Line one.\n\n- {{ not a variable }} ", "\tWas kostet „Möwe“? 100 % {% raw %} <b>\U0001f989</b>\n"),
]


class Day(datetime.datetime):
    """Makes `now` a fixed day."""

    @classmethod
    def now(cls, tz=None):
        return cls(2001, 2, 3)


def main() -> None:
    chat_template_utils.datetime = Day
    expected = {}
    for name, (bos, eos) in TOKENS.items():
        source = (FOLDER / f"{name}.jinja").read_text()
        conversations = [
            [{"role": role, "content": text} for role, text in zip(("system", "user"), case) if text] for case in CASES
        ]
        rendered, _ = chat_template_utils.render_jinja_template(
            conversations,
            chat_template=source,
            add_generation_prompt=True,
            enable_thinking=False,
            thinking=False,
            reasoning_effort="low",
            bos_token=bos,
            eos_token=eos,
        )
        expected[name] = {"bos": bos, "eos": eos, "rendered": rendered}
    (FOLDER / "expected.json").write_text(json.dumps(expected, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
