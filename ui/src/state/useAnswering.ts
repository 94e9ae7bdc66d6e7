import { useEffect, useRef, useState } from "react";

import type { AnswerInput } from "../ipc/bindings";
import { serverRequestActions } from "./actions/serverRequests";
import { useActions, useAppState } from "./hooks";

/** Returns an open server request with the draft of its reply, and the function that sends the reply once. */
export function useAnswering(number: number) {
  const request = useAppState(({ live }) => live.serverRequests[number]);
  const answer = useAppState(({ view }) => view.answers[number]);
  const actions = useActions();
  const answering = actions.get(serverRequestActions);
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  useEffect(() => {
    if (request) answering.openAnswer(request);
  }, [answering, request]);
  /** Returns true if the reply was accepted. `before` runs first; nothing is sent if it fails. */
  const send = async (given: AnswerInput, before?: () => Promise<boolean>): Promise<boolean> => {
    if (!request || sending.current) return false;
    sending.current = true;
    setBusy(true);
    // The request disappears once its reply is accepted; until then nothing is sent twice.
    if ((!before || (await before())) && (await answering.answerServerRequest(request, given))) return true;
    sending.current = false;
    setBusy(false);
    return false;
  };
  return { request, answer, busy, send };
}
