import { useEffect, type ReactNode } from "react";

import { Checkbox } from "../../components/Checkbox";
import { TextInput } from "../../components/TextInput";
import type { ServerId, TaskSupport } from "../../ipc/bindings";
import { useActions, useAppState } from "../../state/hooks";
import { textKey, keptTextActions } from "../../state/keptTexts";
import { taskOf, taskProblem, taskText, type TaskChoiceState } from "./task";
import styles from "./TaskChoice.module.css";

interface TaskChoiceProps {
  readonly support: TaskSupport;
  /** The server runs tools as tasks on request. */
  readonly takesTasks: boolean;
  readonly value: TaskChoiceState;
  readonly onChange: (value: TaskChoiceState) => void;
}

/** Task choice of a tool, kept like the text of its form. */
export function useTaskChoice(
  server: ServerId,
  tool: string,
): readonly [TaskChoiceState, (choice: TaskChoiceState) => void] {
  const actions = useActions();
  useEffect(() => void actions.get(keptTextActions).openText(server, { type: "task", tool }), [actions, server, tool]);
  const text = useAppState((state) => state.view.texts[textKey(server, { type: "task", tool })]) ?? "";
  return [
    taskOf(text),
    (choice) => actions.get(keptTextActions).changeText(server, { type: "task", tool }, taskText(choice)),
  ];
}

/** Choice to run a tool as a task (2025-11-25); renders nothing if the tool forbids it. */
export function TaskChoice({ support, takesTasks, value, onChange }: TaskChoiceProps): ReactNode {
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
