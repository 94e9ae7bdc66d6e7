import { ChevronDown, ChevronRight } from "lucide-react";
import { useId } from "react";

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
  const id = useId();
  if (questions.length === 0) return null;
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <section className={styles.ofServer} aria-label="Questions of the server">
      <h2>
        <button
          type="button"
          className={styles.fold}
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          data-focus="inset"
          onClick={() => foldQuestions(server, open)}
        >
          <Chevron size={14} aria-hidden />
          {count(questions.length, "question", "questions")} of the server, outside of any run
        </button>
      </h2>
      {open && (
        <div id={id} className={styles.list} tabIndex={0} role="group" aria-label="Questions" data-focus="inset">
          {questions.map((question) => (
            <QuestionCard key={question} question={question} />
          ))}
        </div>
      )}
    </section>
  );
}
