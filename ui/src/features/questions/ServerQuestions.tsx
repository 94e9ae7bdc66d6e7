import { Band } from "../../components/Band";
import type { ServerId } from "../../ipc/bindings";
import { count } from "../../lib/format";
import { useActions, useQuestionsOf, useServerUi } from "../../state/hooks";
import { QuestionCard } from "./QuestionCard";
import styles from "./questions.module.css";

/** What the server asks outside of any call, above everything else about it. Can be folded away. */
export function ServerQuestions({ server }: { server: ServerId }) {
  const questions = useQuestionsOf(server, null);
  const open = !useServerUi(server, (ui) => ui.questionsFolded);
  const { foldQuestions } = useActions();
  if (questions.length === 0) return null;
  return (
    <Band
      label="Server requests"
      bodyLabel="Requests"
      tone="info"
      title={`${count(questions.length, "server request", "server requests")} outside of any run`}
      open={open}
      onToggle={() => foldQuestions(server, open)}
      bodyClass={styles.list}
    >
      {questions.map((question) => (
        <QuestionCard key={question} question={question} />
      ))}
    </Band>
  );
}
