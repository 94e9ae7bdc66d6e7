import type { Chosen, Presentation, SavedInput, ServerId } from "../bindings";
import { chosenDrafts, parse, previewImport } from "./importing";
import { fail } from "./fail";
import type { Handlers } from "./handlers";
import type { FakeServer, World } from "./world";

/** Commands for saved inputs and presentations. */
export function presenting(world: World) {
  const input = (id: string): SavedInput =>
    world.savedInputs.find((one) => one.id === id) ?? fail("not_found", "This saved input is no longer there.");
  const presentation = (id: string): Presentation =>
    world.presentations.find((one) => one.id === id) ?? fail("not_found", "This presentation is no longer there.");
  const put = (presentations: readonly Presentation[]): void => {
    world.presentations = presentations;
    world.tellPresentations();
  };
  return {
    save_input: ({ input: given }) => saveInput(world, given),
    move_input: ({ input: id, index }) => {
      const moved = input(id);
      const others = world.savedInputs.filter((one) => one !== moved);
      const behind = others.filter((one) => sameTarget(one, moved))[index];
      const place = behind === undefined ? others.length : others.indexOf(behind);
      world.savedInputs = others.toSpliced(place, 0, moved);
      world.tellInputs(moved.server);
    },
    delete_input: ({ input: id }) => {
      const gone = input(id);
      const before = world.savedInputs;
      const keep = (inputs: readonly SavedInput[]): void => {
        world.savedInputs = inputs;
        world.tellInputs(gone.server);
        world.tellPresentations();
      };
      keep(before.filter((one) => one !== gone));
      return world.deleted(() => keep(before));
    },
    save_presentation: ({ presentation: given }) => savePresentation(world, given),
    delete_presentation: ({ presentation: id }) => {
      const gone = presentation(id);
      const before = world.presentations;
      put(before.filter((one) => one !== gone));
      return world.deleted(() => put(before));
    },
    demo_presentation: () => demoText,
    import_presentation: ({ text, chosen, replace }) => {
      const id = importPresentation(world, text, chosen);
      if (replace === null) return { id, replaced: null };
      const both = world.presentations;
      put(both.filter((one) => one.id !== replace));
      return { id, replaced: world.deleted(() => put(both)) };
    },
    export_presentation: ({ presentation: id }) => ({
      path: `/home/ada/Downloads/${presentation(id).title.replace(/[^\w' -]+/g, " ")}.sonde.yaml`,
      notes: ["Secrets are not part of it: they are asked for where it is imported."],
    }),
  } satisfies Partial<Handlers>;
}

const sameTarget = (one: SavedInput, other: SavedInput): boolean =>
  one.server === other.server && one.method === other.method && one.target === other.target;

/** Returns the list with this entry in place of the one with its id, or at the end. */
const kept = <T extends { readonly id: string }>(all: readonly T[], saved: T): readonly T[] => {
  const place = all.findIndex(({ id }) => id === saved.id);
  return place < 0 ? [...all, saved] : all.with(place, saved);
};

/** Adds or replaces a saved input. Returns its id. */
export function saveInput(world: World, given: SavedInput): string {
  world.server(given.server);
  if (given.name.trim() === "") fail("invalid_input", "Enter a name.", "name");
  parse(given.arguments);
  const saved = { ...given, id: given.id || world.nextId("input") };
  world.savedInputs = kept(world.savedInputs, saved);
  world.tellInputs(given.server);
  world.tellPresentations();
  return saved.id;
}

/** Adds or replaces a presentation. Returns its id. */
export function savePresentation(world: World, given: Presentation): string {
  if (given.title.trim() === "") fail("invalid_input", "Enter a title.", "title");
  const saved: Presentation = {
    ...given,
    id: given.id || world.nextId("presentation"),
    steps: given.steps.map((step) => ({
      ...step,
      id: step.id || world.nextId("step"),
      title: step.title.trim() === "" ? step.target : step.title,
    })),
  };
  world.presentations = kept(world.presentations, saved);
  world.tellPresentations();
  return saved.id;
}

function importPresentation(world: World, text: string, chosen: readonly Chosen[]): string {
  const { candidates, presentation } = previewImport(world, text);
  if (presentation === null) return fail("invalid_input", "This text contains no presentation.");
  const servers = new Map<string, ServerId>();
  for (const { config } of candidates) {
    const known = [...world.servers.values()].find(({ view }) => view.config.name === config.name);
    if (known) servers.set(config.name, known.view.id);
  }
  for (const { key, draft } of chosenDrafts(candidates, chosen)) {
    servers.set(key, world.announce(world.addServer(draft)));
  }
  const steps = presentation.steps.map(({ server: name, ...step }) => {
    const server = servers.get(name);
    const of = { server: server ?? world.nextId("gone"), server_name: name, server_removed: server === undefined };
    return { ...step, ...of, id: "", inputs: [] };
  });
  return savePresentation(world, { id: "", title: presentation.title, imported: true, steps });
}

/** Text of the demo server's presentation file. */
const demoText = JSON.stringify({
  sonde: 1,
  name: "A tour of the lighthouse",
  server: "Demo server",
  servers: { "Demo server": { demo: "stdio" } },
  steps: [
    {
      title: "Say hello",
      name: "To Ada",
      notes: "Ask the audience for a name and type it in.",
      call: "say_hello",
      with: { name: "Ada" },
    },
  ],
});

/** A step of a prepared presentation: its target, title, notes, saved inputs by name, server and method. */
type Prepared = readonly [
  target: string,
  title: string,
  notes: string,
  inputs?: Readonly<Record<string, object>>,
  server?: FakeServer | undefined,
  method?: string,
];

/** Prepares a presentation with these steps on a server. Returns its id. */
export function prepare(world: World, server: FakeServer, title: string, steps: readonly Prepared[]): string {
  return savePresentation(world, {
    id: "",
    imported: false,
    title,
    steps: steps.map(([target, stepTitle, notes, inputs = {}, other = server, method = "tools/call"]) => {
      const of = { server: other.view.id, method, target };
      const saved = Object.entries(inputs).map(([name, given]) => ({
        id: saveInput(world, { ...of, id: "", name, arguments: JSON.stringify(given), private: false }),
        name,
        removed: false,
      }));
      const names = { server_name: other.view.config.name, server_removed: false };
      return { id: "", ...of, ...names, title: stepTitle, inputs: saved, notes };
    }),
  });
}
