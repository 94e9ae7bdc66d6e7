import type { CatalogRow, FindingView, SkillDetail } from "../bindings";
import { noExtras, rowOf } from "./extras";
import { finding } from "./finding";

export interface SkillDefinition {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Texts of the files by URI; `null` if the server does not list them. */
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

function skillFinding(rule: string, severity: "error" | "info", message: string, section: string): FindingView {
  const page = "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx";
  return {
    ...finding(rule, message),
    severity,
    why: "Hosts must not load a skill whose entry they cannot read.",
    fix: "Send what the extension says.",
    spec: { name: `Skills: ${section}`, url: `${page}#${section.replaceAll(" ", "-")}` },
  };
}

/** Skills of the simulated demo server. */
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
      skillFinding("skill-format", "error", "The name of the skill contains 'L'.", "skill format"),
      skillFinding(
        "skill-files",
        "error",
        "The list of files has `skill://gull-rock/night/../secrets.md`, which is not a file within the directory of the skill.",
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
      skillFinding(
        "skill-dynamic",
        "info",
        "The server publishes no digests for this skill, so what its files contain cannot be verified.",
        "resources",
      ),
    ],
  },
];

export function skillDetail(skill: SkillDefinition): SkillDetail {
  const { uri, description, fields = {}, files, findings = [] } = skill;
  const root = uri.slice(0, -"SKILL.md".length);
  return {
    row: skillRow(skill),
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

export function skillRow({ uri, name, description, findings = [] }: SkillDefinition): CatalogRow {
  return rowOf(uri, name, {
    summary: description.slice(0, 160),
    issues: findings.filter(({ severity }) => severity !== "info").length,
  });
}
