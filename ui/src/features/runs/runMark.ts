import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  Hourglass,
  KeyRound,
  LoaderCircle,
  MessageCircleQuestionMark,
  RotateCw,
  Send,
  TriangleAlert,
  Unplug,
  type LucideIcon,
} from "lucide-react";

import type { LostCode, OperationOutcome, OperationView } from "../../ipc/bindings";

const MARKS: Record<Exclude<OperationOutcome["type"], "lost">, LucideIcon> = {
  result: CircleCheck,
  protocol_error: CircleAlert,
  bad_shape: CircleAlert,
  sent: Send,
  timed_out: Hourglass,
  cancelled: Ban,
  stopped_waiting: Hourglass,
};

const LOST_MARKS: Record<LostCode, LucideIcon> = {
  connection_lost: Unplug,
  app_closed: Unplug,
  exchange_failed: CircleAlert,
  no_response: Unplug,
  http_status: CircleAlert,
  too_large: CircleAlert,
  session_expired: Unplug,
  stream_lost: Unplug,
  too_many_rounds: CircleAlert,
  forbidden: Ban,
  not_sent: Ban,
};

const LIVE_MARKS: Record<OperationView["state"], LucideIcon> = {
  queued: CircleDashed,
  running: LoaderCircle,
  waiting: RotateCw,
  signing_in: KeyRound,
  input_required: MessageCircleQuestionMark,
  cancelling: CircleDashed,
  finished: CircleDashed,
};

/** The icon of a run's state, the same wherever the run is named; `asked` while the server waits for an answer of the user. */
export function runMark({ outcome, state, issues }: OperationView, asked = false): LucideIcon {
  if (!outcome) return LIVE_MARKS[asked && state === "running" ? "input_required" : state];
  if (outcome.type === "result" && outcome.is_error) return CircleAlert;
  if (issues > 0) return TriangleAlert;
  return outcome.type === "lost" ? LOST_MARKS[outcome.code] : MARKS[outcome.type];
}
