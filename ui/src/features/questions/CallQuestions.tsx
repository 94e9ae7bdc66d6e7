import type { CallNumber, ServerId } from "../../ipc/bindings";
import { useQuestionsOf } from "../../state/hooks";
import { QuestionCard } from "./QuestionCard";
import styles from "./questions.module.css";

/** What the server asks during one call, oldest first. */
export function CallQuestions({ server, call }: { server: ServerId; call: CallNumber }) {
  const questions = useQuestionsOf(server, call);
  if (questions.length === 0) return null;
  return (
    <div className={styles.ofCall}>
      {questions.map((question) => (
        <QuestionCard key={question} question={question} />
      ))}
    </div>
  );
}
