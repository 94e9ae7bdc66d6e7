import type { AnswerInput, SavedInput, OpenServerRequest } from "../../ipc/bindings";
import { visibleText } from "../../lib/visible";
import { newAnswer } from "../answers";
import { answerFrom, isSameAnswer } from "../savedAnswers";
import type { Answer } from "../view";
import type { Context } from "./context";

/** Actions on server requests and their replies. */
export function serverRequestActions(context: Context) {
  const { toasts, setView, did, getState } = context;

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
      // A request that is closed has no answer any more.
      if (!getState().view.answers[request]) return;
      // What was typed since is replaced in its turn, and can be brought back.
      if (replaced.get(request)?.by !== by || !undoAnswer(request)) replaceAnswer(request, before, "Response restored");
    };
    const closeToast = loses ? toasts.offerUndo(title, { undo }) : () => undefined;
    replaced.set(request, { before, by, closeToast });
    putAnswer(request, by);
  }

  /** Puts a saved answer in the place of what was typed, which can be brought back. */
  function takeAnswer(request: OpenServerRequest, saved: SavedInput): void {
    const before = getState().view.answers[request.request];
    if (!before) return;
    const by = answerFrom(request, saved.arguments);
    const loses = !isSameAnswer(before, newAnswer(request)) && !isSameAnswer(before, by);
    replaceAnswer(request.request, by, `Answer replaced by “${visibleText(saved.name)}”`, loses);
  }

  /** Brings back what was replaced last, unless something was typed since. Answers whether it did. */
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
    /** Makes sure that there is an answer to type into. */
    openAnswer(request: OpenServerRequest): void {
      const { answers } = getState().view;
      if (request.request in answers) return;
      setView({ answers: { ...answers, [request.request]: newAnswer(request) } });
    },
    /**
     * Keeps what was typed as an answer, as long as the server request is open. `removed` says what was lost by a change
     * that is more than typing: it can be brought back.
     */
    changeAnswer(request: number, change: Partial<Answer>, removed?: string): void {
      const answer = getState().view.answers[request];
      if (!answer) return;
      if (removed === undefined) putAnswer(request, { ...answer, ...change });
      else replaceAnswer(request, { ...answer, ...change }, removed);
    },
    /** Answers a server request. Answers whether it was taken; what was typed stays until the host says so. */
    answerServerRequest: ({ request, server }: OpenServerRequest, answer: AnswerInput): Promise<boolean> =>
      did("answer_server_request", { request, answer }, server),
  };
}
