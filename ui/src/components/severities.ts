import { CircleAlert, Info, TriangleAlert, type LucideIcon } from "lucide-react";

import type { Severity } from "../ipc/bindings";

/** Word and icon of each severity. */
export const SEVERITY_WORDS: Record<Severity, { readonly word: string; readonly icon: LucideIcon }> = {
  error: { word: "Error", icon: CircleAlert },
  warning: { word: "Warning", icon: TriangleAlert },
  info: { word: "Info", icon: Info },
};
