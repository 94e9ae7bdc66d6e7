import { useEffect, useState, type ReactNode } from "react";

import { Callout } from "../../components/Callout";
import { RunForm, type RunWords } from "../../components/form/RunForm";
import { useProblems } from "../../components/form/useProblems";
import { Checkbox, TextInput } from "../../components/Field";
import type { ServerId, TaskSupport } from "../../ipc/bindings";
import { useActions, useAppState, useConnection, useSession, useSliceValue } from "../../state/hooks";
import { keptTextActions, textKey } from "../../state/keptTexts";
import { savedInputActions } from "../../state/savedInputs";
import { inputsSlice } from "../../state/slices/inputs";
import { focusNames, type Draft } from "../../state/view";
import { InputList } from "./inputs/InputList";
import { InputMenu } from "./inputs/InputMenu";
import { SaveInput } from "./inputs/SaveInput";
import { taskInput, taskOf, taskProblem, taskText, type TaskChoiceState } from "./task";
import styles from "./ToolForm.module.css";

interface ToolFormProps {
  server: ServerId;
  tool: string;
  draft: Draft;
  /** The protocol forbids this call; the user can make it anyway. */
  forbidden: boolean;
  taskSupport: TaskSupport;
  /** Content above the form that scrolls with it. */
  children: ReactNode;
}

const words: RunWords = {
  name: "Tool",
  run: "Run",
  more: "More ways to run",
  connect: "Connect to run this tool.",
  unchecked: "Run without validation",
  bare: "Run without “arguments”",
};

/** Form of a tool, its saved inputs, and Run. */
export function ToolForm({ server, tool, draft, forbidden, taskSupport, children }: ToolFormProps) {
  const actions = useActions();
  const { problems, unchecked, check } = useProblems(server, tool, draft.document);
  const inputs = useSliceValue(server, inputsSlice, ({ open }) => (open?.tool === tool ? open : null));
  const closeInputs = (): void => {
    actions.get(savedInputActions).openInputs(server, null);
    actions.focus(focusNames.inputs);
  };
  const [anyway, setAnyway] = useState(false);
  const takesTasks = useSession(server)?.tool_tasks === true;
  const isStateless = useConnection(server)?.era === "stateless";
  const [task, setTask] = useTaskChoice(server, tool);
  return (
    <RunForm
      server={server}
      target={tool}
      draft={draft}
      words={forbidden ? { ...words, run: "Run anyway" } : words}
      problems={problems}
      check={check}
      blocked={
        takesTasks && taskProblem(taskSupport, task) !== undefined
          ? "The ttl of the task is not valid."
          : forbidden && !anyway
            ? "Forbidden by the protocol."
            : null
      }
      force={forbidden}
      task={takesTasks ? taskInput(taskSupport, task) : null}
      // Without a handshake, the server decides about the calls that become tasks.
      below={
        !isStateless && <TaskChoice support={taskSupport} takesTasks={takesTasks} value={task} onChange={setTask} />
      }
      above={
        <>
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
        </>
      }
      notes={
        <>
          {unchecked !== null && (
            <Callout level="info" role="status" title="The arguments were not checked against the input schema.">
              {unchecked}
            </Callout>
          )}
          {forbidden && (
            <Checkbox label="Run it even though the protocol forbids it" checked={anyway} onChange={setAnyway} />
          )}
        </>
      }
      values={<InputMenu server={server} tool={tool} draft={draft} />}
    >
      {children}
    </RunForm>
  );
}

interface TaskChoiceProps {
  readonly support: TaskSupport;
  /** The server runs tools as tasks on request. */
  readonly takesTasks: boolean;
  readonly value: TaskChoiceState;
  readonly onChange: (value: TaskChoiceState) => void;
}

/** Task choice of a tool, kept like the text of its form. */
function useTaskChoice(server: ServerId, tool: string): readonly [TaskChoiceState, (choice: TaskChoiceState) => void] {
  const actions = useActions();
  useEffect(() => void actions.get(keptTextActions).openText(server, { type: "task", tool }), [actions, server, tool]);
  const text = useAppState((state) => state.view.texts[textKey(server, { type: "task", tool })]) ?? "";
  return [
    taskOf(text),
    (choice) => actions.get(keptTextActions).changeText(server, { type: "task", tool }, taskText(choice)),
  ];
}

/** Choice to run a tool as a task (2025-11-25); renders nothing if the tool forbids it. */
function TaskChoice({ support, takesTasks, value, onChange }: TaskChoiceProps): ReactNode {
  if (support === "forbidden") return null;
  if (!takesTasks) {
    // Explains why there is no choice.
    return support === "required" ? (
      <p className="note">
        This tool has to be run as a task, and in this connection the server does not declare that it runs tools as
        tasks. It is run without one.
      </p>
    ) : null;
  }
  return (
    <div className={styles.choice}>
      {support === "optional" ? (
        <Checkbox label="Run as a task" checked={value.wanted} onChange={(wanted) => onChange({ ...value, wanted })} />
      ) : (
        <p className="note">Runs as a task: the server requires it for this tool.</p>
      )}
      {(support === "required" || value.wanted) && (
        <TextInput
          label="Keep the task for (seconds)"
          value={value.seconds}
          placeholder="as the server chooses"
          error={taskProblem(support, value)}
          onChange={(seconds) => onChange({ ...value, seconds })}
        />
      )}
    </div>
  );
}
