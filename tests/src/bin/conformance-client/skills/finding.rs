/// Something about a skill that does not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SkillFinding {
    /// A stable name in kebab-case, for example `digest-mismatch`.
    pub(super) code: &'static str,
    /// One plain sentence.
    pub(super) message: String,
    /// The specification forbids to use the file, or to load the skill.
    pub(super) forbids: bool,
}

impl SkillFinding {
    pub(super) fn forbidding(code: &'static str, message: impl Into<String>) -> Self {
        SkillFinding {
            code,
            message: message.into(),
            forbids: true,
        }
    }
}
