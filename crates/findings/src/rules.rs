//! All rules, by topic.

/// Defines rules: `NAME = "id", Severity, "what is wrong.", why: "…", fix: "…"`, then the protocol versions that the
/// rule applies to (`since`, `until`) and the section of the specification. `Severity(Heuristic)` marks a rule that may
/// be wrong. `group: Trust` before the section marks a rule about something else than the protocol. `$page` is relative
/// to the specification's address unless it begins with `https`.
macro_rules! rules {
    ($(
        $name:ident = $id:literal, $severity:ident $(($certainty:ident))?, $text:literal,
        why: $why:literal,
        fix: $fix:literal
        $(, group: $group:ident)?
        $(, since: $since:literal)?
        $(, until: $until:literal)?
        $(, spec: $section:literal => $page:literal)?;
    )*) => {
        $(
            #[doc = $text]
            pub static $name: crate::Rule = crate::Rule {
                id: $id,
                group: rules!(@group $($group)?),
                severity: crate::Severity::$severity,
                certainty: rules!(@certainty $($certainty)?),
                revisions: crate::Revisions {
                    since: rules!(@optional $($since)?),
                    until: rules!(@optional $($until)?),
                },
                text: $text,
                why: $why,
                fix: $fix,
                spec: rules!(@spec $($section => $page)?),
            };
        )*
        pub(super) static RULES: &[&crate::Rule] = &[$(&$name),*];
    };
    (@group) => { crate::RuleGroup::Spec };
    (@group $group:ident) => { crate::RuleGroup::$group };
    (@certainty) => { crate::Certainty::Fact };
    (@certainty $certainty:ident) => { crate::Certainty::$certainty };
    (@optional) => { None };
    (@optional $value:literal) => { Some($value) };
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
mod hosts;
mod cost;
mod clarity;
mod trust;
mod apps;
mod skills;
mod authorization;

pub use self::{
    apps::*, authorization::*, catalogs::*, clarity::*, cost::*, framing::*, hosts::*, http::*,
    json_rpc::*, lifecycle::*, limits::*, notifications::*, operations::*, results::*,
    server_requests::*, skills::*, tasks::*, trust::*,
};

/// Returns every rule, in the order of the modules.
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
        hosts::RULES,
        cost::RULES,
        clarity::RULES,
        trust::RULES,
        apps::RULES,
        skills::RULES,
        authorization::RULES,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Finds the rule with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static crate::Rule> {
    all().find(|rule| rule.id == id)
}

#[cfg(test)]
mod tests {
    mod coverage;

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
            for text in [rule.text, rule.why, rule.fix] {
                assert!(text.ends_with('.') && text.len() > 10, "{}", rule.id);
                assert!(text.matches('`').count() % 2 == 0, "{}", rule.id);
            }
            assert!(!rule.why.contains('{'), "{}", rule.id);
            assert_eq!(
                rule.text.matches('{').count(),
                rule.text.matches('}').count(),
                "{}",
                rule.id
            );
        }
    }

    #[test]
    fn what_the_specification_demands_names_its_section() {
        use crate::RuleGroup;
        for rule in super::all() {
            assert!(
                rule.spec.is_some() || rule.group != RuleGroup::Spec,
                "{}",
                rule.id
            );
            assert!(
                rule.spec.is_none() || rule.group != RuleGroup::Limits,
                "{}",
                rule.id
            );
        }
    }

    #[test]
    fn only_facts_of_the_specification_are_errors() {
        use crate::{Certainty, RuleGroup, Severity};
        for rule in super::all().filter(|rule| rule.severity == Severity::Error) {
            assert_eq!(rule.group, RuleGroup::Spec, "{}", rule.id);
            assert_eq!(rule.certainty, Certainty::Fact, "{}", rule.id);
        }
    }

    #[test]
    fn a_range_of_revisions_has_two_known_ends_in_order() {
        /// Names of the protocol versions, oldest first.
        const REVISIONS: [&str; 5] = [
            "2024-11-05",
            "2025-03-26",
            "2025-06-18",
            "2025-11-25",
            "2026-07-28",
        ];
        for rule in super::all() {
            let place = |name| REVISIONS.iter().position(|one| *one == name);
            let since = rule.revisions.since.map(place);
            let until = rule.revisions.until.map(place);
            assert!(since != Some(None) && until != Some(None), "{}", rule.id);
            // `since` and `until` must each exclude a version.
            assert!(
                since != Some(Some(0)) && until != Some(Some(4)),
                "{}",
                rule.id
            );
            if let (Some(since), Some(until)) = (since, until) {
                assert!(since <= until, "{}", rule.id);
            }
        }
    }

    #[test]
    fn a_section_of_the_specification_has_an_address() {
        for spec in super::all().filter_map(|rule| rule.spec) {
            assert!(spec.url().starts_with("https://") && !spec.section.is_empty());
        }
    }
}
