import type { AnswerInput, ServerId, ServerRequestView } from "../../ipc/bindings";
import { newAnswer } from "../answers";
import type { Answer } from "../view";
import type { Context } from "./context";

/** What a server asks for, and the answers. */
export function serverRequestActions(context: Context) {
  const {
    backend,
    setView,
    setServerUi,
    attempt,
    store: { getState },
  } = context;

  return {
    /** Makes sure that there is an answer to type into. */
    openAnswer(request: ServerRequestView): void {
      const { answers } = getState().view;
      if (request.request in answers) return;
      setView({ answers: { ...answers, [request.request]: newAnswer(request) } });
    },
    /** Keeps what was typed as an answer, as long as the server request is open. */
    changeAnswer(request: number, change: Partial<Answer>): void {
      const { answers } = getState().view;
      const answer = answers[request];
      if (answer) setView({ answers: { ...answers, [request]: { ...answer, ...change } } });
    },
    /** Folds the server requests above the tabs away, or opens them again. */
    foldServerRequests(server: ServerId, serverRequestsFolded: boolean): void {
      setServerUi(server, { serverRequestsFolded });
    },
    /** Answers a server request. Answers whether it was taken; what was typed stays until the host says so. */
    async answerServerRequest(request: ServerRequestView, answer: AnswerInput): Promise<boolean> {
      const done = await attempt(
        backend.call("answer_server_request", { request: request.request, answer }).then(() => true),
        request.server,
      );
      return done === true;
    },
  };
}
