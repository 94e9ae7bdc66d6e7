import { useState, type ReactNode } from "react";

import { Callout } from "../../components/Callout";
import { Checkbox } from "../../components/Checkbox";
import { RunForm, type RunWords } from "../../components/form/RunForm";
import { useProblems } from "../../components/form/useProblems";
import type { ServerId, TaskSupport } from "../../ipc/bindings";
import { useActions, useConnection, useSession, useSliceValue } from "../../state/hooks";
import { savedInputActions } from "../../state/savedInputs";
import { inputsSlice } from "../../state/slices/inputs";
import { focusNames, type Draft } from "../../state/view";
import { TaskChoice, useTaskChoice } from "./TaskChoice";
import { taskInput, taskProblem } from "./task";
import { InputList } from "./inputs/InputList";
import { InputMenu } from "./inputs/InputMenu";
import { SaveInput } from "./inputs/SaveInput";

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
