import type { CatalogRow, CatalogView, FindingView, SkillDetail, Rows } from "../bindings";
import { noExtras } from "./extras";

export interface SkillDefinition {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The texts of the files by URI; `null` where the server does not list them. */
  readonly files: Readonly<Record<string, string>> | null;
  readonly findings?: readonly FindingView[];
}

const FOG_WATCH = "skill://gull-rock/fog-watch/SKILL.md";

/** Contents of the simulated demo server's skill files. */
export const skillTexts: Readonly<Record<string, string>> = {
  [FOG_WATCH]:
    "---\nname: fog-watch\ndescription: Keep watch in fog.\nlicense: MIT\n---\n\n# Keep watch in fog\n\n1. Ask for the weather with `daily_report`.\n2. Sound the horn as the [list of signals](references/signals.md) says.\n\n![](https://example.org/horn.png)\n",
  "skill://gull-rock/fog-watch/references/signals.md":
    "# Signals in fog\n\n| who | signal |\n|---|---|\n| Gull Rock | two long blasts every minute |\n",
  "skill://gull-rock/night/Lamp/SKILL.md": "# No front matter\n",
};

function of(rule: string, severity: "error" | "info", message: string, section: string): FindingView {
  const page = "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx";
  return {
    rule,
    group: "spec",
    severity,
    certainty: "fact",
    message,
    why: "Hosts must not load a skill whose entry they cannot read.",
    fix: "Send what the extension says.",
    revisions: null,
    location: null,
    spec: { name: `Skills: ${section}`, url: `${page}#${section.replaceAll(" ", "-")}` },
  };
}

/** The skills of the simulated demo server. */
export const demoSkills: readonly SkillDefinition[] = [
  {
    uri: FOG_WATCH,
    name: "fog-watch",
    description: "Keep watch in fog. Use it when the view is short, or when a ship asks for the horn.",
    fields: { license: "MIT", metadata: { author: "The keeper of Gull Rock" }, "allowed-tools": "Bash(*)" },
    files: Object.fromEntries(Object.entries(skillTexts).filter(([uri]) => uri.includes("/fog-watch/"))),
  },
  {
    uri: "skill://gull-rock/night/Lamp/SKILL.md",
    name: "Lamp",
    description: "Trim the lamp.",
    files: { "skill://gull-rock/night/Lamp/SKILL.md": "", "skill://gull-rock/night/../secrets.md": "" },
    findings: [
      of("skill-format", "error", "The name of the skill contains 'L'.", "skill format"),
      of(
        "skill-files",
        "error",
        "The list of files has `skill://gull-rock/night/../secrets.md`, which is no file within the directory of the skill.",
        "resources",
      ),
    ],
  },
  {
    uri: "skill://reports/daily/SKILL.md",
    name: "daily",
    description: "Put together today’s report from what the station knows.",
    files: null,
    findings: [
      of(
        "skill-dynamic",
        "info",
        "The server publishes no digests for this skill, so what its files contain cannot be verified.",
        "resources",
      ),
    ],
  },
];

/** The list of the skills with this number of readings. */
export function skillList(server: string, skills: readonly SkillDefinition[], revision: number): CatalogView {
  return {
    server,
    kind: "skills",
    revision,
    reading: null,
    supported: skills.length > 0,
    count: revision === 0 ? 0 : skills.length,
    first: revision === 0 ? null : (skills[0]?.uri ?? null),
    diff: null,
    findings: [],
    finding_count: 0,
    error: null,
    freshness: null,
    fresh_until: null,
  };
}

export function skillRows(
  skills: readonly SkillDefinition[],
  revision: number,
  search: string,
  from: number,
  count: number,
): Rows<CatalogRow> {
  const found = matching(skills, search);
  return { revision, total: found.length, rows: found.slice(from, from + count).map(row) };
}

export function skillIndex(skills: readonly SkillDefinition[], search: string, key: string): number | null {
  const place = matching(skills, search).findIndex(({ uri }) => uri === key);
  return place < 0 ? null : place;
}

export function skillDetail(skill: SkillDefinition): SkillDetail {
  const { uri, description, fields = {}, files, findings = [] } = skill;
  const root = uri.slice(0, -"SKILL.md".length);
  return {
    row: row(skill),
    uri,
    description,
    fields: Object.entries(fields).map(([name, value]) => ({
      name,
      value: typeof value === "string" ? value : JSON.stringify(value),
    })),
    more_fields: false,
    files:
      files === null
        ? null
        : Object.entries(files).map(([file, text]) => ({
            uri: file,
            path: file.startsWith(root) ? file.slice(root.length) : file,
            size: text.length,
            digest: `sha256:${"0".repeat(64)}`,
          })),
    file_count: files === null ? 0 : Object.keys(files).length,
    findings: [...findings],
    extras: noExtras,
    raw: JSON.stringify({ uri, frontmatter: { name: skill.name, description, ...fields } }),
  };
}

function row({ uri, name, description, findings = [] }: SkillDefinition): CatalogRow {
  return {
    key: uri,
    name,
    named: true,
    title: null,
    summary: description.slice(0, 160),
    change: null,
    issues: findings.filter(({ severity }) => severity !== "info").length,
    forbidden: null,
    read_only: null,
    destructive: null,
    idempotent: null,
    open_world: null,
    resource: null,
  };
}

function matching(skills: readonly SkillDefinition[], search: string): readonly SkillDefinition[] {
  const words = search.toLowerCase().split(/\s+/);
  return skills.filter(({ name, description }) => {
    const said = `${name} ${description}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}
