/** Apps of a simulated server: their pages run in the browser, each in a frame with an opaque origin. */
import type { OpenedApp } from "../bindings";
import { APP_TYPE, appContents } from "./appPages";
import { fail } from "./fail";
import { finding } from "./finding";
import type { World } from "./world";

let lastApp = 0;
const open = new Map<string, { readonly server: string; readonly operation: number }>();

export function openApp(world: World, operation: number, reading: number): OpenedApp {
  const run = world.operation(operation).view;
  const uri = world.operations.get(reading)?.view.target ?? "";
  const contents = appContents[uri] ?? fail("invalid_input", "The resource of this app was not read.");
  const [mime] = contents[0] ?? [""];
  const app = `app-${++lastApp}`;
  open.set(app, { server: run.server, operation });
  const shown = mime === APP_TYPE;
  const far = uri.endsWith("weather");
  return {
    app,
    url: shown ? "/app.html" : null,
    index: 0,
    refused: shown ? null : `Only a page of the type ${APP_TYPE} is shown as an app.`,
    domains: {
      connect: far ? ["https://api.weather.example", "http://127.0.0.1:8765", "http://192.168.1.1"] : [],
      resource: far ? ["https://*.tiles.example"] : [],
      frame: [],
      base_uri: [],
    },
    policy: "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; sandbox allow-scripts",
    permissions: far ? ["geolocation"] : [],
    version: "0.1.0",
    prefers_border: null,
    findings: shown
      ? []
      : [finding("app-mime-type", "The app's `mimeType` is `text/html` and not `text/html;profile=mcp-app`.")],
  };
}

export function recordApp(world: World, app: string, entry: "sent" | "received" | "note", text: string): void {
  const { server, operation } = open.get(app) ?? fail("not_found", "This app was closed.");
  const kind = entry === "note" ? "note" : "app";
  world.log.record(server, { kind, out: entry === "sent", body: text, operation });
}
