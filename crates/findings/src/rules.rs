//! All rules, by what they are about.

/// States rules. `$page` is relative to the specification's address unless it begins with `https`.
macro_rules! rules {
    ($( $name:ident = $id:literal, $severity:ident, $text:literal $(, $section:literal => $page:literal)?; )*) => {
        $(
            #[doc = $text]
            pub static $name: crate::Rule = crate::Rule {
                id: $id,
                severity: crate::Severity::$severity,
                text: $text,
                spec: rules!(@spec $($section => $page)?),
            };
        )*
        pub(super) static RULES: &[&crate::Rule] = &[$(&$name),*];
    };
    (@spec) => { None };
    (@spec $section:literal => $page:literal) => {
        Some(crate::Spec { section: $section, page: $page })
    };
}

mod framing;
mod http;
mod json_rpc;
mod lifecycle;
mod operations;
mod notifications;
mod catalogs;
mod results;
mod limits;
mod server_requests;
mod tasks;

pub use self::{
    catalogs::*, framing::*, http::*, json_rpc::*, lifecycle::*, limits::*, notifications::*,
    operations::*, results::*, server_requests::*, tasks::*,
};

/// Every rule, in the order of the modules.
pub fn all() -> impl Iterator<Item = &'static crate::Rule> {
    [
        framing::RULES,
        http::RULES,
        json_rpc::RULES,
        lifecycle::RULES,
        operations::RULES,
        notifications::RULES,
        catalogs::RULES,
        results::RULES,
        limits::RULES,
        server_requests::RULES,
        tasks::RULES,
    ]
    .into_iter()
    .flatten()
    .copied()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    #[test]
    fn every_rule_has_an_id_of_its_own_in_kebab_case() {
        let mut seen = HashSet::new();
        for rule in super::all() {
            assert!(seen.insert(rule.id), "{} is there twice", rule.id);
            assert!(
                rule.id
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'),
                "{}",
                rule.id
            );
        }
    }

    #[test]
    fn every_text_is_made_of_sentences() {
        for rule in super::all() {
            assert!(rule.text.ends_with('.'), "{}", rule.id);
            assert_eq!(
                rule.text.matches('{').count(),
                rule.text.matches('}').count(),
                "{}",
                rule.id
            );
        }
    }

    #[test]
    fn what_breaks_a_must_says_where_the_specification_demands_it() {
        for rule in super::all() {
            if let Some(spec) = rule.spec {
                assert!(spec.url().starts_with("https://") && !spec.section.is_empty());
            } else {
                assert_ne!(rule.severity, crate::Severity::Error, "{}", rule.id);
            }
        }
    }
}
