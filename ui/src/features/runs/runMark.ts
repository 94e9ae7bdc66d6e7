import * as icons from "lucide-react";

import type { OperationView } from "../../ipc/bindings";
import { outcomeWord } from "./runWords";

const LIVE_MARKS: Record<OperationView["state"], icons.LucideIcon> = {
  queued: icons.CircleDashed,
  running: icons.LoaderCircle,
  waiting: icons.RotateCw,
  signing_in: icons.KeyRound,
  input_required: icons.MessageCircleQuestionMark,
  cancelling: icons.CircleDashed,
  finished: icons.CircleDashed,
};

/** Returns the icon of a run's state, the same everywhere; `asked` while the server waits for an answer of the user. */
export function runMark({ outcome, state, issues }: OperationView, asked = false): icons.LucideIcon {
  if (!outcome) return LIVE_MARKS[asked && state === "running" ? "input_required" : state];
  const isToolError = outcome.type === "result" && outcome.is_error;
  return issues > 0 && !isToolError ? icons.TriangleAlert : outcomeWord(outcome, issues).icon;
}
