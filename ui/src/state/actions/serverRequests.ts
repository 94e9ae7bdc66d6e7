import type { AnswerInput, SavedInput, OpenServerRequest } from "../../ipc/bindings";
import { visibleText } from "../../lib/visible";
import { newAnswer } from "../answers";
import { answerFrom, isSameAnswer } from "../savedAnswers";
import type { Answer } from "../view";
import type { Context } from "./context";

/** Actions on server requests and their replies. */
export function serverRequestActions(context: Context) {
  const { toasts, setView, succeeds, getState } = context;

  /** Replaced answers by server request, until something is typed. */
  const replaced = new Map<number, { readonly before: Answer; readonly by: Answer; readonly closeToast: () => void }>();

  function putAnswer(request: number, answer: Answer): void {
    setView({ answers: { ...getState().view.answers, [request]: answer } });
  }

  /** Replaces an answer; if that `loses` text, it can be undone. */
  function replaceAnswer(request: number, by: Answer, title: string, loses = true): void {
    const before = getState().view.answers[request];
    if (!before) return;
    const undo = (): void => {
      // A closed request has no draft of a reply any more.
      if (!getState().view.answers[request]) return;
      // Text typed since then is replaced in turn, and can be restored.
      if (replaced.get(request)?.by !== by || !undoAnswer(request)) replaceAnswer(request, before, "Response restored");
    };
    const closeToast = loses ? toasts.offerUndo(title, { undo }) : () => undefined;
    replaced.set(request, { before, by, closeToast });
    putAnswer(request, by);
  }

  /** Replaces the typed reply by a saved one; the typed reply can be restored. */
  function takeAnswer(request: OpenServerRequest, saved: SavedInput): void {
    const before = getState().view.answers[request.request];
    if (!before) return;
    const by = answerFrom(request, saved.arguments);
    const loses = !isSameAnswer(before, newAnswer(request)) && !isSameAnswer(before, by);
    replaceAnswer(request.request, by, `Answer replaced by “${visibleText(saved.name)}”`, loses);
  }

  /** Restores the reply that was replaced last, unless something was typed since. Returns true if it did. */
  function undoAnswer(request: number): boolean {
    const last = replaced.get(request);
    if (!last || getState().view.answers[request] !== last.by) return false;
    replaced.delete(request);
    putAnswer(request, last.before);
    last.closeToast();
    return true;
  }

  return {
    takeAnswer,
    undoAnswer,
    /** Ensures that a server request has a draft of a reply. */
    openAnswer(request: OpenServerRequest): void {
      const { answers } = getState().view;
      if (request.request in answers) return;
      setView({ answers: { ...answers, [request.request]: newAnswer(request) } });
    },
    /**
     * Keeps a typed reply while the server request is open. `removed` names what a change other than typing lost; it
     * can be restored.
     */
    changeAnswer(request: number, change: Partial<Answer>, removed?: string): void {
      const answer = getState().view.answers[request];
      if (!answer) return;
      if (removed === undefined) putAnswer(request, { ...answer, ...change });
      else replaceAnswer(request, { ...answer, ...change }, removed);
    },
    /**
     * Sends the reply to a server request. Returns true if the host accepted it; the draft stays until the host closes
     * the request.
     */
    answerServerRequest: ({ request, server }: OpenServerRequest, answer: AnswerInput): Promise<boolean> =>
      succeeds("answer_server_request", { request, answer }, server),
  };
}
