import { useRef, useState } from "react";

import type { OperationInput, ServerId } from "../../../ipc/bindings";
import type { Json } from "../../../lib/apps/message";
import { type AppRequest, type DisplayMode, Refusal, REFUSED } from "../../../lib/apps/request";
import { readingOf } from "../../../state/actions/operations";
import { useActions, useApp, useReadState } from "../../../state/hooks";
import { TOOLS_CALL } from "../../../state/operationName";
import { sliceOf } from "../../../state/slices/slice";
import { whenFinished } from "../../../state/whenFinished";
import { type AppRule, appsSlice, isSameRule, ruleOf } from "./appRules";

/** A request of an app that waits for the user. */
export interface AppQuestion {
  readonly number: number;
  readonly request: AppRequest;
  /** Rule that would allow this kind of request without asking. */
  readonly rule: AppRule | null;
  readonly answer: (consent: Consent) => void;
}

export type Consent = "once" | "always" | "refuse";

/** Text that an app wrote for a model. It is shown to the user, and not sent. */
export interface AppWords {
  readonly messages: readonly string[];
  /** Latest context; it replaces all earlier ones. */
  readonly context: string | null;
}

/** Largest result sent to an app, in bytes of its JSON. */
export const LARGEST_RESULT = 5_000_000;
/** Limit of messages shown per app. */
const MOST_MESSAGES = 20;
let lastQuestion = 0;

export interface Serving {
  readonly questions: readonly AppQuestion[];
  readonly words: AppWords;
  /** Carries out a request of the app, after asking the user unless a rule allows it. */
  readonly serve: (request: AppRequest) => Promise<Json>;
}

/** Display mode of the app: the current one, and the allowed ones. */
export interface AppPlace {
  mode(): DisplayMode;
  allows(mode: DisplayMode): boolean;
  show(mode: DisplayMode): void;
}

export function useServing(server: ServerId, place: AppPlace): Serving {
  const app = useApp();
  const actions = useActions();
  const readState = useReadState();
  const [questions, setQuestions] = useState<readonly AppQuestion[]>([]);
  const waiting = useRef<readonly AppQuestion[]>([]);
  const [words, setWords] = useState<AppWords>({ messages: [], context: null });

  const consent = async (request: AppRequest, definition = ""): Promise<void> => {
    const rule = ruleOf(request, definition);
    const rules = (): readonly AppRule[] => sliceOf(readState().view.perServer[server], appsSlice).rules;
    if (rule !== null && rules().some((one) => isSameRule(one, rule))) return;
    const wait = (next: readonly AppQuestion[]): void => {
      waiting.current = next;
      setQuestions(next);
    };
    const given = await new Promise<Consent>((resolve) => {
      const number = ++lastQuestion;
      const answer = (answered: Consent): void => {
        wait(waiting.current.filter((one) => one.number !== number));
        resolve(answered);
      };
      wait([...waiting.current, { number, request, rule, answer }]);
    });
    if (given === "refuse") throw new Refusal(REFUSED, "Refused by the user");
    if (given === "always" && rule !== null) {
      actions.setSlice(server, appsSlice, { rules: [...rules().filter((one) => !isSameRule(one, rule)), rule] });
      // Waiting requests that the new rule allows no longer need consent.
      for (const one of waiting.current) if (one.rule !== null && isSameRule(one.rule, rule)) one.answer("once");
    }
  };

  const run = async (operation: OperationInput): Promise<Json> => {
    const number = await app.backend.call("start_operation", { server, operation: { ...operation, by_app: true } });
    const over = await whenFinished(app.store, number);
    if (over?.outcome?.type === "protocol_error") throw new Refusal(over.outcome.code, over.outcome.message);
    if (over?.outcome?.type !== "result") throw new Refusal(REFUSED, "The server gave no result");
    if (over.outcome.bytes > LARGEST_RESULT) throw new Refusal(REFUSED, "The result is larger than 5 MB");
    return answerOf(await app.backend.readBytes({ type: "answer", operation: number }));
  };

  const serve = async (request: AppRequest): Promise<Json> => {
    switch (request.type) {
      case "tool": {
        const key = request.name;
        const tool = await app.backend.call("tool_detail", { server, key }).catch(() => null);
        if (tool === null) throw new Refusal(-32_602, "The server has no tool of this name");
        // "Host MUST reject `tools/call` requests from apps for tools that don't include "app" in visibility".
        if (!tool.app.for_app) throw new Refusal(REFUSED, "This tool is not for apps");
        if (tool.row.forbidden !== null) throw new Refusal(REFUSED, "The protocol forbids calling this tool");
        await consent(request, tool.raw);
        return run({ method: TOOLS_CALL, target: key, arguments: request.arguments, params: null, force: false });
      }
      case "resource":
        await consent(request);
        return run(readingOf(request.uri));
      case "link":
        await consent(request);
        if (!(await actions.openPage(request.url))) throw new Refusal(REFUSED, "The page could not be opened");
        return {};
      case "message":
        setWords(({ messages, context }) => ({ messages: [...messages, request.text].slice(-MOST_MESSAGES), context }));
        return {};
      case "context":
        setWords(({ messages }) => ({ messages, context: request.text }));
        return {};
      case "display": {
        const { mode } = request;
        const isOther = mode !== place.mode() && (mode === "inline" || mode === "fullscreen");
        if (isOther && place.allows(mode)) {
          // Leaving full screen needs no consent.
          const agreed = mode === "inline" ? Promise.resolve() : consent(request);
          await agreed.then(
            () => place.show(mode),
            () => undefined,
          );
        }
        return { mode: place.mode() };
      }
    }
  };
  return { questions, words, serve };
}

/** Parses the result of an operation, as the server wrote it. */
export function answerOf(bytes: ArrayBuffer): Json {
  return JSON.parse(new TextDecoder().decode(bytes)) as Json;
}
