import { LockKeyhole, Send } from "lucide-react";
import { useEffect, useId, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { FilterSelect } from "../../components/FilterSelect";
import { JsonEditor } from "../../components/form/JsonEditor";
import { TextInput } from "../../components/Field";
import { addedMeta } from "../../components/meta/addedMeta";
import { Segmented } from "../../components/Segmented";
import type { ServerId } from "../../ipc/bindings";
import { modifier } from "../../lib/shortcuts";
import { stringOf, memberOf } from "../../schema/node";
import { nodeIn, parseJson } from "../../schema/parse";
import { hasPrivateFields } from "../../schema/privacy";
import { operationActions } from "../../state/actions/operations";
import {
  useActions,
  useAppState,
  useConnection,
  useHandler,
  useIsReady,
  useSelectedServer,
  useServerUi,
  useSession,
} from "../../state/hooks";
import { textKey, keptTextActions } from "../../state/keptTexts";
import { useFetched } from "../../state/queries";
import { requestOf, requestText, type RawRequest } from "../../state/rawRequest";
import { focusNames } from "../../state/view";
import { methodsOf, warningOf } from "./methods";
import styles from "./rawRequest.module.css";

const WHICH = { type: "request" } as const;

/** Form of a raw request: method, kind, `params`. The text is sent as typed if it is JSON. */
export function RawRequestForm({ server }: { readonly server: ServerId }): ReactNode {
  const actions = useActions();
  const { changeText, keepTextPrivate, openText } = actions.get(keptTextActions);
  const ready = useIsReady(server);
  const era = useConnection(server)?.era;
  const stateless = era === "stateless";
  const capabilities = useSession(server)?.identity?.capabilities ?? null;
  const text = useAppState((state) => state.view.texts[textKey(server, WHICH)]);
  const shown = useServerUi(server, (ui) => ui.tab === "request");
  const isSelected = useSelectedServer() === server;
  const id = useId();
  useEffect(() => void openText(server, WHICH), [openText, server]);

  const request = requestOf(text ?? "");
  const { method, params, notification } = request;
  const change = (next: Partial<RawRequest>): void => changeText(server, WHICH, requestText({ ...request, ...next }));
  const isPrivate = usePrivateCall(server, request);
  const isTyped = text !== undefined;
  useEffect(() => {
    if (isTyped) keepTextPrivate(server, WHICH, isPrivate);
  }, [keepTextPrivate, server, isTyped, isPrivate]);
  const methods = methodsOf(capabilities, stateless);
  const read = params.trim() === "" ? null : parseJson(params);
  const problem = read !== null && !read.ok && !read.problem.tooDeep ? read.problem : null;
  const warning = warningOf(method.trim());
  const remarks = [
    ...(warning === null ? [] : [warning]),
    ...(read?.ok === true && read.node.kind !== "object"
      ? ["MCP wants params to be an object. What you typed is sent as it is, without _meta."]
      : []),
    ...(method.startsWith("notifications/") && !notification
      ? ["By its name this is a notification, and it is sent as a request."]
      : []),
    ...(notification && stateless ? ["The stateless protocol defines hardly any notifications of clients."] : []),
  ];
  const why = !ready
    ? "Connect to send."
    : method === ""
      ? "Enter a method."
      : problem
        ? "The params are not valid JSON, so they cannot be sent."
        : null;
  const send = async (): Promise<void> => {
    if (why !== null || text === undefined) return;
    const run = await actions.get(operationActions).sendRequest(server, {
      method,
      target: null,
      arguments: null,
      params: params.trim() === "" ? null : params,
      notification,
    });
    if (run !== undefined) actions.focus(focusNames.run(run));
  };
  useHandler("run_tool", () => void send(), isSelected && shown);

  return (
    <div className="fill">
      <div className="stack fit gapS3 padS3 scrollsDown" data-scroll="Raw request" data-form>
        <div className="wrap gapS2">
          <Segmented<"request" | "notification">
            label="Kind of message"
            tall
            value={notification ? "notification" : "request"}
            onChange={(kind) => change({ notification: kind === "notification" })}
            items={{ request: "Request", notification: "Notification" }}
          />
          <FilterSelect
            className={styles.known}
            label="Known methods"
            value={methods.some(({ name }) => name === method) ? method : ""}
            none="Known methods…"
            items={methods.map(({ name }) => [name, name])}
            onChange={(known) => {
              const chosen = methods.find(({ name }) => name === known);
              if (!chosen) return;
              // Typed text stays, unless it is the initial text of another method.
              const isTyped = params.trim() !== "" && !methods.some((known) => known.params === params);
              change({
                method: chosen.name,
                notification: chosen.notification,
                ...(isTyped ? {} : { params: chosen.params }),
              });
            }}
          />
        </div>
        <TextInput
          label="Method"
          mono
          value={method}
          onChange={(next) => change({ method: next })}
          hint="Any method, whether the server declares it or not"
        />
        <div className="stack gapS1">
          <span className="medium">Params</span>
          <JsonEditor
            label="Params"
            value={params}
            onChange={(next) => change({ params: next })}
            describedBy={`${id}-note`}
            problem={problem}
          />
          <p id={`${id}-note`} className="note">
            {problem
              ? `Line ${problem.line}, column ${problem.column}: ${problem.message}`
              : notification
                ? "Sent exactly as typed. Leave it empty to send no params."
                : `What you type is not changed. Sonde adds to _meta, unless it is there: ${addedMeta(era)}. If you leave it empty, params have only this _meta.`}
          </p>
          {isPrivate === true && (
            <p className={styles.private}>
              <LockKeyhole size={13} aria-hidden />
              This tool has fields for secrets: what you type here and the run stay in memory until Sonde quits.
            </p>
          )}
        </div>
      </div>
      <footer className="stack rigid gapS2 scrolls lineAbove onSide maxHeight50Percent padS2xS3">
        {remarks.length > 0 && (
          <Callout level="warning" role="status" title="Before you send this">
            {remarks.map((remark) => (
              <p key={remark}>{remark}</p>
            ))}
          </Callout>
        )}
        <div className="wrap gapS2">
          <Button kind="primary" icon={Send} disabled={why !== null} data-run onClick={() => void send()}>
            {notification ? "Send notification" : "Send request"}
          </Button>
          <span className="note" role="status">
            {why ?? <kbd>{modifier}+Enter</kbd>}
          </span>
        </div>
      </footer>
    </div>
  );
}

/**
 * True if a request calls a listed tool with fields for secrets, so that nothing of it may be written to disk; `null`
 * while the tool is looked up.
 */
function usePrivateCall(server: ServerId, { method, params, notification }: RawRequest): boolean | null {
  const revision = useAppState((state) => state.live.catalogs[server]?.tools?.revision ?? 0);
  const tool = method === "tools/call" && !notification ? toolOf(params) : null;
  const found = useFetched(`${server}\n${tool ?? ""}`, `${revision}`, async (backend) =>
    tool === null ? null : backend.call("tool_detail", { server, key: tool }).catch(() => null),
  );
  if (tool === null) return false;
  if (found.state === "loading") return null;
  return hasPrivateFields(found.value?.input_schema ?? "");
}

/** Name of the tool in the params. */
function toolOf(params: string): string | null {
  return stringOf(memberOf(nodeIn(params), "name")) ?? null;
}
