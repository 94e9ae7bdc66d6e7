import { Play, RotateCcw } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Checkbox } from "../../components/Checkbox";
import { IconButton } from "../../components/IconButton";
import { Menu } from "../../components/Menu";
import { ArgumentsForm } from "../../components/form/ArgumentsForm";
import { ProblemBar } from "../../components/form/ProblemBar";
import { useProblems } from "../../components/form/useProblems";
import type { ServerId } from "../../ipc/bindings";
import { hasModifier, isTyping, modifier } from "../../lib/shortcuts";
import { isPristine, syntaxProblem, toText } from "../../schema";
import { useActions, useHandler, useIsReady, useSelectedServer, useServerUi } from "../../state/hooks";
import { focusNames, type Draft } from "../../state/view";
import { checkMeta, metaParams } from "./meta";
import { RunMeta, useRunMeta } from "./RunMeta";
import { InputList } from "./inputs/InputList";
import { InputMenu } from "./inputs/InputMenu";
import { SaveInput } from "./inputs/SaveInput";
import styles from "./ToolForm.module.css";

interface ToolFormProps {
  server: ServerId;
  tool: string;
  draft: Draft;
  /** The protocol forbids to call it; the user may all the same. */
  forbidden: boolean;
  /** What stands above the form and scrolls with it. */
  children: ReactNode;
}

/** The form of a tool, and Run. Problems are shown at the fields and never stand in the way. */
export function ToolForm({ server, tool, draft, forbidden, children }: ToolFormProps) {
  const { document } = draft;
  const ready = useIsReady(server);
  const actions = useActions();
  const { problems, unchecked, check } = useProblems(server, tool, document);
  const syntax = syntaxProblem(document);
  const meta = useRunMeta(server, tool);
  const inputs = useServerUi(server, (ui) => (ui.inputs?.tool === tool ? ui.inputs : null));
  const closeInputs = (): void => {
    actions.openInputs(server, null);
    actions.focus(focusNames.inputs);
  };
  const idPrefix = `arguments-${server}-${tool}`.replace(/[^\w-]/g, "_");
  const busy = useRef(false);
  const [anyway, setAnyway] = useState(false);

  // Where the text is wrong stands beside it.
  const why = !ready
    ? "Connect to run this tool."
    : syntax
      ? "Not valid JSON, so it cannot be sent."
      : checkMeta(meta).problem
        ? "The metadata is not valid JSON, so it cannot be sent."
        : forbidden && !anyway
          ? "Forbidden by the protocol."
          : null;

  const send = async (text: string | null): Promise<void> => {
    // Who types goes on typing; whoever pressed the button looks at the run.
    const typing = isTyping(globalThis.document.activeElement);
    const operation = await actions.run(server, tool, text, forbidden, metaParams(meta));
    if (operation !== undefined && !typing) actions.focus(focusNames.run(operation));
  };
  const run = async (): Promise<void> => {
    // A second click while the arguments are being checked must not become a second operation.
    if (why !== null || busy.current) return;
    busy.current = true;
    try {
      if ((await check()).length === 0) await send(toText(document));
    } finally {
      busy.current = false;
    }
  };
  // Of two servers side by side the keys are for the selected one.
  const isSelected = useSelectedServer() === server;
  useHandler("run_tool", () => void run(), isSelected);

  return (
    // No <form>: Enter in a field must not call a tool that may delete something.
    <div
      className="stack fit"
      onKeyDownCapture={(event) => {
        if (event.key.toLowerCase() !== "z" || !hasModifier(event) || !actions.undoReplacement(server, tool)) return;
        // A field would undo its own typing.
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <div
        className={styles.scroller}
        tabIndex={0}
        role="group"
        aria-label="Description and arguments"
        data-focus="inset"
        data-scroll="Tool"
      >
        {children}
        <div className={styles.arguments} data-form>
          <ArgumentsForm
            idPrefix={idPrefix}
            value={document}
            onChange={(next, removed) =>
              removed === undefined
                ? actions.changeDraft(server, tool, next)
                : actions.replaceDocument(server, tool, next, removed)
            }
            problems={problems}
          />
        </div>
        <RunMeta server={server} tool={tool} />
      </div>
      <footer className={styles.footer}>
        {inputs?.type === "list" && <InputList server={server} tool={tool} onClose={closeInputs} />}
        {inputs?.type === "save" && (
          <SaveInput
            key={inputs.text}
            server={server}
            tool={tool}
            draft={draft}
            text={inputs.text}
            onClose={closeInputs}
          />
        )}
        <ProblemBar
          idPrefix={idPrefix}
          problems={problems}
          of="the arguments"
          actions={
            <Button small disabled={why !== null} onClick={() => void send(toText(document))}>
              Send anyway
            </Button>
          }
        />
        {unchecked !== null && (
          <Callout level="info" role="status" title="The arguments were not checked against the input schema.">
            {unchecked}
          </Callout>
        )}
        {forbidden && (
          <Checkbox label="Run it even though the protocol forbids it" checked={anyway} onChange={setAnyway} />
        )}
        <div className={styles.buttons}>
          <Button
            kind={forbidden ? "plain" : "primary"}
            icon={Play}
            disabled={why !== null}
            data-run
            onClick={() => void run()}
          >
            {forbidden ? "Run anyway" : "Run"}
          </Button>
          <Menu
            label="More ways to run"
            items={[
              {
                label: "Run without validation",
                disabled: why !== null,
                onSelect: () => void send(toText(document)),
              },
              {
                label: "Run without “arguments”",
                disabled: !ready || (forbidden && !anyway),
                onSelect: () => void send(null),
              },
            ]}
          />
          <span className={styles.hint} role="status">
            {why ?? <kbd>{modifier}+Enter</kbd>}
          </span>
          <span className={styles.values}>
            <InputMenu server={server} tool={tool} draft={draft} />
            <IconButton
              label="Reset form"
              icon={RotateCcw}
              disabled={isPristine(document)}
              onClick={() => {
                actions.resetDraft(server, tool);
                actions.focusForm(server, tool);
              }}
            />
          </span>
        </div>
      </footer>
    </div>
  );
}
