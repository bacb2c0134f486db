//! SPDX licence expressions, as far as crates use them: `OR`, `AND`, `WITH`, parentheses and the old slash.
//!
//! Knows no list of licences; the caller says which are allowed.

use std::iter::Peekable;
use std::str::SplitWhitespace;

/// Whether `expression` can be met with the licences that `allowed` names. `A WITH B` is asked for as a whole. What
/// does not parse is not met.
pub(super) fn allows(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = Words { rest: spaced.split_whitespace().peekable(), allowed };
    words.any() == Some(true) && words.rest.next().is_none()
}

/// What is left of an expression. Each method is `None` where it does not parse.
struct Words<'e> {
    rest: Peekable<SplitWhitespace<'e>>,
    allowed: &'e dyn Fn(&str) -> bool,
}

impl Words<'_> {
    /// `a OR b OR …`
    fn any(&mut self) -> Option<bool> {
        let mut met = self.all()?;
        while self.rest.next_if_eq(&"OR").is_some() {
            met |= self.all()?;
        }
        Some(met)
    }

    /// `a AND b AND …`, which binds closer.
    fn all(&mut self) -> Option<bool> {
        let mut met = self.one()?;
        while self.rest.next_if_eq(&"AND").is_some() {
            met &= self.one()?;
        }
        Some(met)
    }

    /// A licence, perhaps with its exception, or an expression in parentheses.
    fn one(&mut self) -> Option<bool> {
        match self.rest.next()? {
            "(" => {
                let met = self.any()?;
                self.rest.next_if_eq(&")").map(|_| met)
            }
            ")" | "OR" | "AND" | "WITH" => None,
            name if self.rest.next_if_eq(&"WITH").is_some() => {
                let exception = self.rest.next()?;
                Some((self.allowed)(&format!("{name} WITH {exception}")))
            }
            name => Some((self.allowed)(name)),
        }
    }
}

#[test]
fn expressions_are_met_as_spdx_says() {
    let allowed = |name: &str| ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].contains(&name);
    for met in [
        "MIT",
        "GPL-3.0 OR MIT",
        "GPL-3.0/MIT",
        "Apache-2.0 / MIT",
        "MIT AND Zlib",
        "(GPL-3.0 OR MIT) AND Zlib",
        "GPL-3.0 AND BSD-3-Clause OR MIT",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(allows(met, &allowed), "{met}");
    }
    for unmet in [
        "",
        "GPL-3.0",
        "mit",
        "Apache-2.0",
        "MIT AND GPL-3.0",
        "(MIT OR Zlib) AND GPL-3.0",
        "MIT WITH LLVM-exception",
        "MIT OR",
        "(MIT",
        "MIT)",
        "MIT Zlib",
    ] {
        assert!(!allows(unmet, &allowed), "{unmet}");
    }
}
