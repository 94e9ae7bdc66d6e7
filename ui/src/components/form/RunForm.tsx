import { Play, RotateCcw } from "lucide-react";
import { useRef, type ReactNode } from "react";

import type { ServerId, TaskParams } from "../../ipc/bindings";
import { scrollable } from "../../lib/scrollable";
import { hasModifier, isTyping, keysLabel, modifier } from "../../lib/shortcuts";
import { isPristine, syntaxProblem, toText } from "../../schema/document";
import type { Problem } from "../../schema/problems";
import { draftActions } from "../../state/actions/drafts";
import { operationActions } from "../../state/actions/operations";
import { useActions, useHandler, useIsReady, useSelectedServer } from "../../state/hooks";
import { focusNames, methodOf, type Draft, type FormTarget } from "../../state/view";
import { Button, IconButton } from "../Button";
import { Menu } from "../Menu";
import { metaBlocks, metaParams } from "../meta/meta";
import { RunMeta, useRunMeta } from "../meta/RunMeta";
import { ArgumentsForm } from "./ArgumentsForm";
import { ProblemBar } from "./ProblemBar";
import styles from "./RunForm.module.css";

export interface RunFormProps {
  readonly server: ServerId;
  readonly target: FormTarget;
  readonly draft: Draft;
  readonly words: RunWords;
  readonly problems: readonly Problem[];
  /** Finds problems; the form is sent if there are none. */
  readonly check: () => Promise<readonly Problem[]>;
  /** Reason that sending is blocked, in addition to those of the form and its `_meta`. */
  readonly blocked?: string | null;
  /** Sends the call although the protocol forbids it. */
  readonly force?: boolean;
  /** Runs the tool as a task. */
  readonly task?: TaskParams | null;
  /** Shown above the form; scrolls with it. */
  readonly children: ReactNode;
  /** Shown below the form; scrolls with it. */
  readonly below?: ReactNode;
  /** Shown above the problems. */
  readonly above?: ReactNode;
  /** Shown above the buttons. */
  readonly notes?: ReactNode;
  /** Buttons for all values of the form. */
  readonly values?: ReactNode;
}

/** Labels of a form. */
export interface RunWords {
  /** Names the scrolling area: `Tool`. */
  readonly name: string;
  readonly run: string;
  readonly more: string;
  readonly connect: string;
  readonly unchecked: string;
  readonly bare: string;
}

/** The form of a tool or prompt, with its button. Problems are shown at the fields and do not block sending. */
export function RunForm(props: RunFormProps): ReactNode {
  const { server, target, draft, words, problems, check, force = false, task = null } = props;
  const { document } = draft;
  const ready = useIsReady(server);
  const actions = useActions();
  const { changeDraft, replaceDocument, resetDraft, undoReplacement } = actions.get(draftActions);
  const syntax = syntaxProblem(document);
  const { method, target: key } = methodOf(target);
  const metaOf = { server, method, target: key };
  const meta = useRunMeta(metaOf);
  const blocked = metaBlocks(meta) ?? props.blocked ?? null;
  const prefix = method === "tools/call" ? "arguments" : `arguments-${method}`;
  const idPrefix = `${prefix}-${server}-${key}`.replace(/[^\w-]/g, "_");
  const busy = useRef(false);

  // The place of the syntax error is shown beside the text.
  const why = !ready ? words.connect : syntax ? "Not valid JSON, so it cannot be sent." : blocked;

  const send = async (text: string | null): Promise<void> => {
    // After Ctrl+Enter keep the focus in the form; after a click move it to the run.
    const typing = isTyping(globalThis.document.activeElement);
    const operation = await actions.get(operationActions).run(server, target, text, force, metaParams(meta), task);
    if (operation !== undefined && !typing) actions.focus(focusNames.run(operation));
  };
  const run = async (): Promise<void> => {
    // A second click while the arguments are checked must not start a second operation.
    if (why !== null || busy.current) return;
    busy.current = true;
    try {
      if ((await check()).length === 0) await send(toText(document));
    } finally {
      busy.current = false;
    }
  };
  // Of two servers side by side, shortcuts apply to the selected one.
  const isSelected = useSelectedServer() === server;
  useHandler("run_tool", () => void run(), isSelected);
  useHandler("send_anyway", () => void send(toText(document)), isSelected && problems.length > 0 && why === null);
  const reset = (): void => {
    resetDraft(server, target);
    actions.focusForm(server, target);
  };
  useHandler("reset_form", reset, isSelected && !isPristine(document));

  return (
    // No <form>, as Enter in a field must not call a tool that may delete something.
    <div
      className="stack fit"
      onKeyDownCapture={(event) => {
        if (event.key.toLowerCase() !== "z" || !hasModifier(event) || !undoReplacement(server, target)) return;
        // Otherwise the field would undo its own typing.
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <div className={styles.scroller} {...scrollable("Description and arguments")} data-scroll={words.name}>
        {props.children}
        <div className="shrink" data-form>
          <ArgumentsForm
            idPrefix={idPrefix}
            value={document}
            onChange={(next, removed) =>
              removed === undefined ? changeDraft(server, target, next) : replaceDocument(server, target, next, removed)
            }
            problems={problems}
          />
        </div>
        {props.below}
        <RunMeta {...metaOf} />
      </div>
      <footer className="stack rigid gap8 scrolls lineAbove onSide maxHeight50Percent sized pad8x16">
        {props.above}
        <ProblemBar
          idPrefix={idPrefix}
          problems={problems}
          of="the arguments"
          actions={
            <Button
              small
              disabled={why !== null}
              data-tip={keysLabel("Alt+Enter")}
              onClick={() => void send(toText(document))}
            >
              Send anyway
            </Button>
          }
        />
        {props.notes}
        <div className="wrap gap8">
          <Button
            kind={force ? "plain" : "primary"}
            icon={Play}
            disabled={why !== null}
            data-run
            onClick={() => void run()}
          >
            {words.run}
          </Button>
          <Menu
            label={words.more}
            items={[
              { label: words.unchecked, disabled: why !== null, onSelect: () => void send(toText(document)) },
              { label: words.bare, disabled: !ready || blocked !== null, onSelect: () => void send(null) },
            ]}
          />
          <span className={styles.hint} role="status">
            {why ?? <kbd>{modifier}+Enter</kbd>}
          </span>
          <span className="inlineRow gap4 pushRight">
            {props.values}
            <IconButton label="Reset form" icon={RotateCcw} disabled={isPristine(document)} onClick={reset} />
          </span>
        </div>
      </footer>
    </div>
  );
}
