import type { CatalogRow, Completion, CompletionArgument, PromptDetail } from "../bindings";
import { noExtras, rowOf, stationIcons } from "./extras";
import { finding } from "./finding";
import { conversation, drawing, text, type Answer } from "./results";

export interface PromptDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
}

/** Prompts of the simulated demo server. */
export const demoPrompts: readonly PromptDefinition[] = [
  {
    name: "berth_request",
    title: "Ask for a berth",
    description: "Writes the harbour master a letter. The berths depend on the **harbour**.",
    arguments: [
      { name: "harbour", title: "Harbour", description: "Where the ship is going.", required: true },
      { name: "berth", title: "Berth", description: "One of that harbour.", required: true },
      { name: "notes", description: "Anything to add." },
    ],
  },
  { name: "read_the_chart", title: "Read the chart", description: "Asks for a look at the chart of the day." },
  { name: "watch_handover", description: "How the watch is handed over." },
];

export function promptDetail(prompt: PromptDefinition): PromptDetail {
  return {
    row: promptRow(prompt),
    arguments: (prompt.arguments ?? []).map(({ name, title, description, required }) => ({
      name,
      title: title ?? null,
      description: description ?? null,
      required: required ?? false,
    })),
    findings: [],
    description: prompt.description ?? null,
    extras:
      prompt.name === "read_the_chart" ? { icons: stationIcons, meta: '{"org.example/reviewed":true}' } : noExtras,
    raw: JSON.stringify(prompt),
  };
}

/** Result of a prompt for these arguments. */
export function promptAnswer(name: string, given: Readonly<Record<string, unknown>>): Answer {
  switch (name) {
    case "berth_request":
      return conversation("A letter to the harbour master.", [
        ["user", text(`Write to the harbour of **${String(given["harbour"])}** for berth ${String(given["berth"])}.`)],
        ["assistant", text("Certainly. To whom shall I address it?")],
      ]);
    case "read_the_chart":
      return conversation(null, [
        ["user", drawing()],
        ["user", text("What does this chart show?")],
      ]);
    default:
      return conversation(
        null,
        [
          ["system", text("You are the officer of the watch.")],
          ["user", text("Hand over the watch.")],
        ],
        [[finding("bad-role", "The role is `system`; it must be `user` or `assistant`.")]],
      );
  }
}

const berths: Readonly<Record<string, readonly string[]>> = {
  Bergen: ["Bryggen 1", "Bryggen 2", "Skolten"],
  Bilbao: ["Santurtzi", "Zierbena"],
  Brest: ["Le Château", "Moulin Blanc"],
};

/** Suggestions for an argument. */
export function suggested(argument: CompletionArgument, resolved: readonly CompletionArgument[]): Completion {
  const harbour = resolved.find(({ name }) => name === "harbour")?.value ?? "";
  const all = ["harbour", "port"].includes(argument.name)
    ? Object.keys(berths)
    : argument.name === "berth"
      ? berths[harbour]
      : [];
  const values = (all ?? []).filter((value) => value.toLowerCase().startsWith(argument.value.toLowerCase()));
  return {
    values,
    total: argument.name === "harbour" ? values.length + 12 : null,
    has_more: argument.name === "harbour",
  };
}

export function promptRow({ name, title, description }: PromptDefinition): CatalogRow {
  return rowOf(name, name, {
    title: title ?? null,
    summary: (description ?? "").replaceAll("*", "").slice(0, 160),
  });
}
