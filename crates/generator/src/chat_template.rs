//! A model's own chat template, rendered as `transformers` renders it.
//!
//! Templates are Jinja programs in model files, and so untrusted input. They run in the generator's process with a
//! limited number of steps, and see only the two texts. Reasoning is switched off, because the user waits for the
//! answer.

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, context};

/// Maximum steps of a template; the longest known one takes some 3,000 for two messages.
const FUEL: u64 = 1_000_000;

/// Ends of a rendered prompt after which a model would begin to reason, and the text to append so that it answers at
/// once.
const PREFILLS: [(&str, &str); 3] = [
    // gpt-oss first writes an analysis unless its final channel is already open.
    ("<|start|>assistant", "<|channel|>final<|message|>"),
    // Templates that begin the reasoning themselves and have no switch, such as those of DeepSeek R1.
    ("<think>\n", "\n</think>\n\n"),
    ("<think>", "\n</think>\n\n"),
];

/// A parsed template.
pub(crate) struct ChatTemplate {
    environment: Environment<'static>,
    /// The begin and end tokens as text, which templates use.
    bos: String,
    eos: String,
    /// Whether it supports a system message.
    takes_system: bool,
}

impl ChatTemplate {
    /// Parses `source` and tries it once; an error is one line.
    pub(crate) fn new(source: &str, bos: String, eos: String) -> Result<Self, String> {
        let mut environment = Environment::new();
        // The same settings as in transformers.
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|e| line(&e))?);
        environment.set_undefined_behavior(UndefinedBehavior::Lenient);
        environment.set_fuel(Some(FUEL));
        environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.add_function("raise_exception", |message: String| -> Result<(), Error> {
            Err(Error::new(ErrorKind::InvalidOperation, message))
        });
        environment
            .add_function("strftime_now", |format: String| jiff::Zoned::now().strftime(&format).to_string());
        environment.add_template_owned("chat", without_training_marks(source)).map_err(|e| line(&e))?;
        let mut template = Self { environment, bos, eos, takes_system: true };
        // Some templates reject a system message, others ignore it.
        let probe = template.render("oriel-probe", "b");
        template.takes_system = probe.is_ok_and(|prompt| prompt.contains("oriel-probe"));
        template.render("oriel-probe", "b").map(|_| template)
    }

    /// Renders the prompt. If the template does not support a system message, both texts become the user's message.
    pub(crate) fn render(&self, system: &str, user: &str) -> Result<String, String> {
        let message = |role: &str, content: &str| context! { role => role, content => content };
        if system.is_empty() {
            self.render_messages(&[message("user", user)])
        } else if self.takes_system {
            self.render_messages(&[message("system", system), message("user", user)])
        } else {
            self.render_messages(&[message("user", &format!("{system}\n\n{user}"))])
        }
    }

    fn render_messages(&self, messages: &[minijinja::Value]) -> Result<String, String> {
        let template = self.environment.get_template("chat").map_err(|e| line(&e))?;
        let mut prompt = template
            .render(context! {
                messages,
                add_generation_prompt => true,
                enable_thinking => false,
                thinking => false,
                reasoning_effort => "low",
                bos_token => &self.bos,
                eos_token => &self.eos,
            })
            .map_err(|e| line(&e))?;
        if let Some((_, prefill)) = PREFILLS.iter().find(|(end, _)| prompt.ends_with(end)) {
            prompt.push_str(prefill);
        }
        Ok(prompt)
    }
}

/// Replaces `generation` blocks, which mark training text in transformers, by blocks that always render.
fn without_training_marks(source: &str) -> String {
    let mut source = source.to_owned();
    for open in ["{%", "{%-", "{% ", "{%- "] {
        source = source.replace(&format!("{open}generation"), &format!("{open}if true"));
        source = source.replace(&format!("{open}endgeneration"), &format!("{open}endif"));
    }
    source
}

fn line(error: &Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Texts with everything that templates often get wrong: surrounding space, braces, tags, other scripts.
    const CASES: [(&str, &str); 3] = [
        ("You answer from passages.", "How many days off are there?"),
        ("", "How many?"),
        (" Line one.\n\n- {{ not a variable }} ", "\tWas kostet „Möwe“? 100 % {% raw %} <b>\u{1F989}</b>\n"),
    ];

    /// Recorded from transformers by models/reference_templates.py.
    #[derive(serde::Deserialize)]
    struct Reference {
        bos: String,
        eos: String,
        rendered: Vec<String>,
    }

    #[test]
    fn templates_render_as_transformers_renders_them() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/templates");
        let expected = std::fs::read(folder.join("expected.json")).unwrap();
        let expected: std::collections::BTreeMap<String, Reference> =
            serde_json::from_slice(&expected).unwrap();
        assert!(expected.len() >= 11, "a family is missing");
        let today = jiff::Zoned::now().strftime("%Y-%m-%d").to_string();
        let day = jiff::Zoned::now().strftime("%d %b %Y").to_string();
        for (name, Reference { bos, eos, rendered }) in expected {
            let source = std::fs::read_to_string(folder.join(format!("{name}.jinja"))).unwrap();
            let template = ChatTemplate::new(&source, bos, eos).unwrap_or_else(|e| panic!("{name}: {e}"));
            for ((system, user), wanted) in CASES.into_iter().zip(rendered) {
                // The script recorded a fixed date in place of today's.
                let wanted = wanted.replace("2001-02-03", &today).replace("03 Feb 2001", &day);
                let got = template.render(system, user).unwrap();
                let prefill = PREFILLS.iter().find(|(end, _)| wanted.ends_with(end)).map_or("", |(_, p)| p);
                assert_eq!(got, format!("{wanted}{prefill}"), "{name}");
                let thinks = got.rfind("<think>").is_some_and(|open| !got[open..].contains("</think>"));
                assert!(!thinks, "{name} is left thinking");
            }
        }
    }

    #[test]
    fn a_template_without_a_system_message_gets_both_texts_at_once() {
        let turns =
            "{% for m in messages if m.role != 'system' %}<{{ m.role }}>{{ m.content | trim }}{% endfor %}";
        let refuses = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}";
        for source in [format!("{refuses}{turns}<model>"), format!("{turns}<model>")] {
            let template = ChatTemplate::new(&source, String::new(), String::new()).unwrap();
            assert_eq!(template.render("Rules.", "Why?").unwrap(), "<user>Rules.\n\nWhy?<model>");
        }
    }

    #[test]
    fn a_template_that_is_broken_or_never_ends_is_refused_in_one_line() {
        let new = |source: &str| ChatTemplate::new(source, String::new(), String::new());
        for source in [
            "{% for m in messages %}",
            "{{ raise_exception('no') }}",
            "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}",
        ] {
            let error = new(source).err().expect(source);
            assert!(!error.is_empty() && error.lines().count() == 1, "{error}");
        }
        let trained_on =
            "{% for m in messages %}{%- generation -%}{{ m.content }}{%- endgeneration -%}{% endfor %}";
        assert_eq!(new(trained_on).unwrap().render("", "b").unwrap(), "b");
    }
}
