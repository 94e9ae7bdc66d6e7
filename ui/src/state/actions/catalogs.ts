import type { ServerId } from "../../ipc/bindings";
import { itemsSlice, type ItemsUi, type ResourceChoice, type ResourceKind } from "../slices/items";
import { type FormTarget, methodOf } from "../view";
import type { Context } from "./context";
import type { Navigation } from "./navigation";

/** A tool or prompt as the selected one, on its tab. */
export function selected(target: FormTarget): Pick<ItemsUi, "tool"> | Pick<ItemsUi, "prompt"> {
  return typeof target === "string" ? { tool: target } : { prompt: target.key };
}

export type Catalogs = ReturnType<typeof catalogActions>;

/** The lists of a server, and what is selected in them. */
export function catalogActions(
  context: Context,
  { selectServer, focusPane, focusForm }: Pick<Navigation, "selectServer" | "focusPane" | "focusForm">,
) {
  const { backend, setSlice } = context;

  /** Selects a tool or prompt, unless it is not in the list any more. */
  async function selectListed(server: ServerId, target: FormTarget): Promise<void> {
    const kind = typeof target === "string" ? "tools" : "prompts";
    const key = methodOf(target).target;
    const place = await backend.call("catalog_index", { server, kind, search: "", key }).catch(() => null);
    if (place !== null) setSlice(server, itemsSlice, selected(target));
  }

  /** Shows a resource on the Resources tab. */
  function showResource(server: ServerId, resource: ResourceChoice): void {
    const list = resource.type === "item" ? { resourceKind: resource.kind } : {};
    setSlice(server, itemsSlice, { resource, ...list }, { tab: "resources", maximized: null });
  }

  /** Shows what has this URI on the Resources tab: the resource, where it is in the list. */
  async function showUri(server: ServerId, uri: string): Promise<void> {
    const kind = "resources";
    const detail = await backend.call("resource_detail", { server, kind, key: uri }).catch(() => null);
    // The key of the second of the same URI can be a URI, too.
    showResource(server, detail?.uri === uri ? { type: "item", kind, key: uri } : { type: "uri", uri });
  }

  return {
    selectListed,
    showUri,
    actions: {
      selectTool(server: ServerId, tool: string | null): void {
        setSlice(server, itemsSlice, { tool });
      },
      selectPrompt(server: ServerId, prompt: string | null): void {
        setSlice(server, itemsSlice, { prompt });
      },
      selectSkill(server: ServerId, skill: string | null): void {
        setSlice(server, itemsSlice, { skill });
      },
      /** Shows a skill, with the focus in it. */
      openSkill(server: ServerId, skill: string): void {
        selectServer(server);
        setSlice(server, itemsSlice, { skill }, { tab: "skills", maximized: null });
        focusPane(server, "form");
      },
      /** Shows the form of a tool or prompt, with the focus in it. */
      openTool(server: ServerId, tool: FormTarget): void {
        selectServer(server);
        setSlice(server, itemsSlice, selected(tool), { tab: typeof tool === "string" ? "tools" : "prompts" });
        focusForm(server, tool);
      },
      /** Shows one of the lists of the resources. */
      showResourceKind(server: ServerId, resourceKind: ResourceKind): void {
        setSlice(server, itemsSlice, { resourceKind });
      },
      selectResource(server: ServerId, resource: ResourceChoice | null): void {
        setSlice(server, itemsSlice, { resource });
      },
      /** Shows a resource or a template, with the focus in it. */
      openResource(server: ServerId, kind: ResourceKind, key: string): void {
        selectServer(server);
        showResource(server, { type: "item", kind, key });
        focusPane(server, "form");
      },
    },
  };
}
