import { Trash2 } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { Button, IconButton } from "../../components/Button";
import { InlineForm } from "../../components/InlineForm";
import { Select, TextInput } from "../../components/Field";
import type { OpenServerRequest } from "../../ipc/bindings";
import { visibleText } from "../../lib/visible";
import { serverRequestActions } from "../../state/actions/serverRequests";
import { useApp, useParts } from "../../state/hooks";
import { answerInput, answerTarget, answerText, answersFor } from "../../state/savedAnswers";
import type { Answer } from "../../state/view";
import { presentationActions } from "../../state/presentations";

interface SavedAnswersProps {
  readonly request: OpenServerRequest;
  readonly answer: Answer;
}

/** Named answers, stored with the server: to fill in, to save and to delete. */
export function SavedAnswers({ request, answer }: SavedAnswersProps): ReactNode {
  const { actions, store, toasts } = useApp();
  const saved = useParts(({ live }) => answersFor(live, request.server, request));
  const [picked, setPicked] = useState("");
  const [name, setName] = useState<string | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const closed = useRef(false);
  // The focused element disappeared. Keep the focus in the answer, so that Ctrl+Enter still sends it.
  useEffect(() => {
    if (name !== null || !closed.current) return;
    closed.current = false;
    opener.current?.focus();
  }, [name]);
  if (answerTarget(request) === null) return null;
  const text = answerText(answer);
  const taken = saved.find((one) => one.id === picked);
  const wanted = name?.trim() ?? "";
  const former = saved.find((one) => one.name === wanted);
  const close = (): void => {
    closed.current = true;
    setName(null);
  };
  const save = async (): Promise<void> => {
    const input = text === null ? null : answerInput(store.getState().live, request, wanted, text);
    const id = input && wanted !== "" ? await actions.get(presentationActions).saveInput(input) : undefined;
    if (id === undefined) return;
    close();
    setPicked(id);
    if (former && former.arguments !== text) {
      toasts.offerUndo(`“${visibleText(former.name)}” updated`, {
        undo: () => void actions.get(presentationActions).saveInput(former),
      });
    }
  };
  if (name !== null) {
    return (
      <InlineForm className="wrap gap8" label="Save this answer" onSubmit={() => void save()} onCancel={close}>
        <TextInput label="Save this answer as" value={name} maxLength={200} autoFocus onChange={setName} />
        <Button small kind="primary" type="submit" disabled={wanted === "" || text === null}>
          {former ? "Replace" : "Save"}
        </Button>
        <Button small kind="quiet" onClick={close}>
          Do not save
        </Button>
      </InlineForm>
    );
  }
  return (
    <div className="wrap gap8">
      {saved.length > 0 && (
        <Select
          label="Saved answers"
          hideLabel
          value={taken ? picked : ""}
          items={[
            { value: "", label: "Saved answers…" },
            ...saved.map(({ id, name: of }) => ({ value: id, label: visibleText(of) })),
          ]}
          onChange={(id) => {
            setPicked(id);
            const chosen = saved.find((one) => one.id === id);
            if (chosen) actions.get(serverRequestActions).takeAnswer(request, chosen);
          }}
        />
      )}
      {taken && (
        <IconButton
          small
          icon={Trash2}
          label={`Delete the saved answer “${visibleText(taken.name)}”`}
          onClick={() => {
            opener.current?.focus();
            void actions.get(presentationActions).deleteInput(taken);
          }}
        />
      )}
      <Button ref={opener} small kind="quiet" disabled={text === null} onClick={() => setName(taken?.name ?? "")}>
        Save this answer…
      </Button>
    </div>
  );
}
