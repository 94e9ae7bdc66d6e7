/** Host context sent to an app about where it is shown (MCP Apps 2026-01-26, Host Context). */
import type { OpenedApp, ToolDetail } from "../../../ipc/bindings";
import { MOST_HEIGHT } from "../../../lib/apps/host";
import type { Json } from "../../../lib/apps/message";
import type { DisplayMode } from "../../../lib/apps/request";
import { valueIn } from "../../../lib/valueIn";

/** Variables of the specification, mapped to those of Sonde's token sheet. */
const VARIABLES: Readonly<Record<string, string>> = {
  "--color-background-primary": "--bg",
  "--color-background-secondary": "--bg-side",
  "--color-background-tertiary": "--bg-hover",
  "--color-background-info": "--info-bg",
  "--color-background-danger": "--bad-bg",
  "--color-background-success": "--ok-bg",
  "--color-background-warning": "--warn-bg",
  "--color-text-primary": "--text",
  "--color-text-secondary": "--text-2",
  "--color-text-info": "--info",
  "--color-text-danger": "--bad",
  "--color-text-success": "--ok",
  "--color-text-warning": "--warn",
  "--color-border-primary": "--line-strong",
  "--color-border-secondary": "--line",
  "--color-ring-primary": "--focus",
  "--font-text-sm-size": "--size-small",
  "--font-text-md-size": "--size",
  "--font-text-lg-size": "--size-large",
  "--border-radius-sm": "--radius",
};

/** Kinds of content that Sonde shows: all. */
const CONTENT = { text: {}, image: {}, audio: {}, resource: {}, resourceLink: {} };

export interface Place {
  readonly mode: DisplayMode;
  /** Width in px. */
  readonly width: number;
  readonly height: number;
}

/** Part of the context that changes with the position and size of the app. */
export function placeContext({ mode, width, height }: Place): Json {
  const containerDimensions = mode === "inline" ? { width, maxHeight: MOST_HEIGHT } : { width, height };
  return { displayMode: mode, containerDimensions };
}

/** Part of the context that changes with the theme. */
export function themeContext(dark: boolean): Json {
  const tokens = getComputedStyle(document.documentElement);
  const variables = Object.entries(VARIABLES).map(([name, token]) => [name, tokens.getPropertyValue(token).trim()]);
  return {
    theme: dark ? "dark" : "light",
    styles: {
      variables: {
        ...Object.fromEntries(variables.filter(([, value]) => value !== "")),
        "--font-sans": "system-ui, sans-serif",
        "--font-mono": "ui-monospace, monospace",
      },
    },
  };
}

/** Part of the context that changes with the user's languages. */
export function localeContext(): Json {
  return { locale: navigator.language };
}

/** Result of `ui/initialize`, without the protocol version. */
export function introduction(app: OpenedApp, tool: ToolDetail | undefined, dark: boolean, place: Place): Json {
  const { connect, resource } = app.domains;
  return {
    hostInfo: { name: "Sonde", version: app.version },
    hostCapabilities: {
      openLinks: {},
      serverTools: {},
      serverResources: {},
      logging: {},
      // Sonde shows both as text, for every kind of content.
      message: CONTENT,
      updateModelContext: { ...CONTENT, structuredContent: {} },
      sandbox: { permissions: {}, csp: { connectDomains: connect, resourceDomains: resource } },
    },
    hostContext: {
      ...toolInfo(tool),
      ...themeContext(dark),
      ...placeContext(place),
      availableDisplayModes: ["inline", "fullscreen"],
      ...localeContext(),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      userAgent: "Sonde",
      platform: "desktop",
      deviceCapabilities: { touch: matchMedia("(any-pointer: coarse)").matches, hover: matchMedia("(hover)").matches },
    },
  };
}

/** Definition of the tool, if all of it is known. */
function toolInfo(tool: ToolDetail | undefined): Json {
  const definition = valueIn(tool?.raw ?? "");
  return definition === undefined ? {} : { toolInfo: { tool: definition } };
}
