import { Ban, CircleAlert, CircleCheck, CircleHelp, TriangleAlert, type LucideIcon } from "lucide-react";

import type { Evidence, HostView, Verdict } from "../../ipc/bindings";

/** Word and icon of each verdict, worst first. */
export const VERDICTS: Readonly<Record<Verdict, { readonly word: string; readonly icon: LucideIcon }>> = {
  fails: { word: "Fails", icon: Ban },
  may_fail: { word: "May fail", icon: CircleAlert },
  degraded: { word: "Degraded", icon: TriangleAlert },
  not_known: { word: "Not known", icon: CircleHelp },
  works: { word: "Works", icon: CircleCheck },
};

export const ORDER: readonly Verdict[] = ["fails", "may_fail", "degraded", "not_known", "works"];

/** Words for the kinds of sources. */
export const EVIDENCE_WORDS: Readonly<Record<Evidence, string>> = {
  source: "source code",
  documentation: "documentation",
  issue: "report",
  second_hand: "second hand",
};

/** Titles of the kinds of hosts, in the order of the choice. */
export const KINDS: readonly (readonly [kind: HostView["kind"], title: string])[] = [
  ["host", "Hosts"],
  ["api", "APIs of models"],
  ["directory", "Directories"],
];

/** Hosts shown until the user chooses some: applications whose requirements are known. */
export function shownHosts(all: readonly HostView[], chosen: readonly string[] | null): readonly HostView[] {
  return all.filter((host) => (chosen === null ? host.known && host.kind === "host" : chosen.includes(host.id)));
}
