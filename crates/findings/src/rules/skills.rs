//! The extension Skills, `io.modelcontextprotocol/skills`. It has no versions, and servers of older versions of the
//! protocol declare it as well, so its rules apply in every version.

rules! {
    SKILL_ENTRY = "skill-entry", Error,
        "The entry of the skill {problem}.",
        why: "Hosts must not load a skill whose entry they cannot read.",
        fix: "Send `uri`, `frontmatter` as an object, and `resources` as a list of files or as \"dynamic\".",
        spec: "Skills: skill entries" => "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#skill-entries";
    SKILL_FRONTMATTER = "skill-frontmatter", Error,
        "`frontmatter` {problem}.",
        why: "Hosts choose a skill by its name and description, and get both from here alone.",
        fix: "Send the front matter of the `SKILL.md` with `name` and `description` as texts.",
        spec: "Skills: frontmatter" => "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#frontmatter";
    SKILL_FORMAT = "skill-format", Error,
        "The {member} of the skill {problem}.",
        why: "A skill must conform to the Agent Skills specification; hosts that check it refuse this one.",
        fix: "Use 1 to 64 lower-case letters, digits and single hyphens for the name, and 1 to 1,024 characters for the description.",
        spec: "Skills: skill format" => "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#skill-format";
    SKILL_URI = "skill-uri", Error,
        "The URI of the skill does not end in `{expected}`.",
        why: "The directory of a skill has its name, so that the name can be told from the URI alone.",
        fix: "Serve the file as `SKILL.md` in a directory that is called as the skill.",
        spec: "Skills: resource mapping" => "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#resource-mapping";
    SKILL_FILES = "skill-files", Error,
        "The list of files {problem}.",
        why: "A host verifies the files of a skill by this list, and a user's approval is bound to it.",
        fix: "List every file of the skill once, `SKILL.md` included, each with `uri`, `digest` and `size`.",
        spec: "Skills: resources" => "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#resources";
    SKILL_TOO_LARGE = "skill-too-large", Warning,
        "The skill has {found}; hosts must take no more than {limit}.",
        why: "A host may refuse to load it.",
        fix: "Divide the skill, or leave out files.",
        spec: "Skills: limits" => "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#limits";
    SKILL_DYNAMIC = "skill-dynamic", Info,
        "The server publishes no digests for this skill, so what its files contain cannot be verified.",
        why: "Hosts may decline to load it, and cannot bind an approval to what it contains.",
        fix: "List the files with their digests where their content does not change from reading to reading.",
        spec: "Skills: resources" => "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#resources";
    DUPLICATE_SKILL = "duplicate-skill", Warning,
        "Another skill has the same URI `{key}`.",
        why: "A skill is known by its URI, so hosts show one skill twice or drop one.",
        fix: "List each skill once, over all pages.",
        spec: "Skills: skill URIs" => "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#skill-uris";
    SKILL_NAME_TWICE = "skill-name-twice", Warning,
        "Another skill of this server has the same name `{name}`.",
        why: "Users and models choose by name, and hosts have to tell the two apart by their paths.",
        fix: "Give each skill a name of its own.",
        spec: "Skills: names" => "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#names";
    SKILL_SIZE = "skill-size", Error,
        "The file has {read} bytes, and the entry of the skill `{skill}` says {listed}.",
        why: "Hosts must not use a file that is not what the entry says.",
        fix: "Send size and digest of the bytes that are served; after a change, of the new ones.",
        spec: "Skills: verification on read" => "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#verification-on-read";
    SKILL_DIGEST = "skill-digest", Error,
        "The file has the digest {read}, and the entry of the skill `{skill}` says {listed}.",
        why: "Hosts must not use a file that is not what the entry says.",
        fix: "Send size and digest of the bytes that are served; after a change, of the new ones.",
        spec: "Skills: verification on read" => "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#verification-on-read";
    SKILL_UNLISTED_FILE = "skill-unlisted-file", Error,
        "The file is in the directory of the skill `{skill}`, whose entry does not list it.",
        why: "The list of files is complete, so hosts take this file for a change to the skill and refuse it.",
        fix: "List every file of the skill; after a change, list the skills again.",
        spec: "Skills: the acting window and the held entry" => "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#the-acting-window-and-the-held-entry";
    SKILL_NO_FRONTMATTER = "skill-no-frontmatter", Error,
        "The front matter of the `SKILL.md` cannot be read: {problem}.",
        why: "Hosts compare it with the entry, and must not load the skill.",
        fix: "Begin the file with YAML between two lines of `---`.",
        spec: "Skills: frontmatter verification" => "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#frontmatter-verification";
    SKILL_FRONTMATTER_DIFFERS = "skill-frontmatter-differs", Error,
        "`{field}` of the front matter {problem}.",
        why: "What a user approves is the entry, so hosts must not load a skill whose file says something else.",
        fix: "Send the front matter of the file unchanged in the entry.",
        spec: "Skills: frontmatter verification" => "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#frontmatter-verification";
}
