import {
  CircleDashed,
  KeyRound,
  LoaderCircle,
  MessageCircleQuestionMark,
  RotateCw,
  TriangleAlert,
  type LucideIcon,
} from "lucide-react";

import type { OperationView } from "../../ipc/bindings";
import { outcomeWord } from "./runWords";

const LIVE_MARKS: Record<OperationView["state"], LucideIcon> = {
  queued: CircleDashed,
  running: LoaderCircle,
  waiting: RotateCw,
  signing_in: KeyRound,
  input_required: MessageCircleQuestionMark,
  cancelling: CircleDashed,
  finished: CircleDashed,
};

/** Returns the icon of a run's state, the same everywhere; `asked` while the server waits for an answer of the user. */
export function runMark({ outcome, state, issues }: OperationView, asked = false): LucideIcon {
  if (!outcome) return LIVE_MARKS[asked && state === "running" ? "input_required" : state];
  const isToolError = outcome.type === "result" && outcome.is_error;
  return issues > 0 && !isToolError ? TriangleAlert : outcomeWord(outcome, issues).icon;
}
