import type { CatalogKind, ServerId } from "../../ipc/bindings";
import { PROMPTS_GET } from "../operationName";
import {
  itemsSlice,
  SELECTED,
  type ResourceChoice,
  type ResourceKind,
  type SelectedKind,
  isResourceKind,
} from "../slices/items";
import { type FormTarget, kindOf, methodOf, type ServerUi } from "../view";
import type { Context } from "./context";
import { navigationActions } from "./navigation";

/** Actions on the lists of a server and their selected items. */
export function catalogActions({ backend, setSlice, get }: Context) {
  const { selectServer, focusPane, focusForm } = get(navigationActions);

  function selectItem(server: ServerId, kind: SelectedKind, key: string | null, more: Partial<ServerUi> = {}): void {
    setSlice(server, itemsSlice, { [SELECTED[kind]]: key }, more);
  }

  /** Selects a tool or prompt, unless it is no longer in the list. */
  async function selectListed(server: ServerId, target: FormTarget): Promise<void> {
    const kind = kindOf(target);
    const key = methodOf(target).target;
    const place = await backend.call("catalog_index", { server, kind, search: "", key }).catch(() => null);
    if (place !== null) selectItem(server, kind, key);
  }

  /** Shows a resource on the Resources tab. */
  function showResource(server: ServerId, resource: ResourceChoice): void {
    const list = resource.type === "item" ? { resourceKind: resource.kind } : {};
    setSlice(server, itemsSlice, { resource, ...list }, { tab: "resources", maximized: null });
  }

  /** Shows a URI on the Resources tab: as the listed resource if there is one. */
  async function showUri(server: ServerId, uri: string): Promise<void> {
    const kind = "resources";
    const detail = await backend.call("resource_detail", { server, kind, key: uri }).catch(() => null);
    // Of several resources with one URI, the key of a later one can look like a URI too.
    showResource(server, detail?.uri === uri ? { type: "item", kind, key: uri } : { type: "uri", uri });
  }

  /** Shows an item of a list, with the focus in it. */
  function openItem(server: ServerId, kind: CatalogKind, key: string): void {
    selectServer(server);
    if (isResourceKind(kind)) showResource(server, { type: "item", kind, key });
    else selectItem(server, kind, key, { tab: kind, maximized: null });
    if (kind === "tools") focusForm(server, key);
    else if (kind === "prompts") focusForm(server, { method: PROMPTS_GET, key });
    else focusPane(server, "form");
  }

  return {
    selectListed,
    showUri,
    selectItem: (server: ServerId, kind: SelectedKind, key: string | null): void => selectItem(server, kind, key),
    openItem,
    /** Shows the resource with this URI, whether it is listed or not. */
    async openResource(server: ServerId, uri: string): Promise<void> {
      selectServer(server);
      await showUri(server, uri);
      focusPane(server, "form");
    },
    openTool: (server: ServerId, tool: string): void => openItem(server, "tools", tool),
    /** Shows resources or resource templates on the Resources tab. */
    showResourceKind: (server: ServerId, resourceKind: ResourceKind) => setSlice(server, itemsSlice, { resourceKind }),
    selectResource: (server: ServerId, resource: ResourceChoice | null) => setSlice(server, itemsSlice, { resource }),
  };
}
