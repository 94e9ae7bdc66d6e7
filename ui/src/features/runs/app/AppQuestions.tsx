import { ExternalLink } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Disclosure } from "../../../components/Disclosure";
import { Marked, MarkedCode } from "../../../components/Marked";
import { PageAddress } from "../../../components/PageAddress";
import type { ServerId } from "../../../ipc/bindings";
import type { AppRequest } from "../../../lib/apps/request";
import { count } from "../../../lib/format";
import { useSlice } from "../../../state/hooks";
import { appsSlice, ruleWords } from "./appRules";
import type { AppQuestion, AppWords } from "./useServing";
import styles from "./app.module.css";

/** Time before the buttons of a question can be pressed, in ms. */
const ARMING_MS = 700;

export interface AppQuestionsProps {
  readonly server: ServerId;
  readonly questions: readonly AppQuestion[];
  readonly words: AppWords;
}

/** Open requests of the app, one after the other; its permanent permissions; and the text it wrote for a model. */
export function AppQuestions({ server, questions, words }: AppQuestionsProps): ReactNode {
  const [{ rules }, setApps] = useSlice(server, appsSlice);
  const [question] = questions;
  return (
    <>
      {question && <Question key={question.number} question={question} more={questions.length - 1} />}
      {rules.length > 0 && (
        <div className={styles.extra}>
          <Disclosure summary={`Allowed to apps of this server without asking (${rules.length})`}>
            <ul className={styles.rules}>
              {rules.map((rule, index) => (
                <li key={index}>
                  <Marked text={ruleWords(rule)} />
                  <Button small kind="quiet" onClick={() => setApps({ rules: rules.filter((one) => one !== rule) })}>
                    Ask again
                  </Button>
                </li>
              ))}
            </ul>
            <p className="note">Until Sonde is closed.</p>
          </Disclosure>
        </div>
      )}
      {words.messages.length > 0 && (
        <div className={styles.extra}>
          <Disclosure summary={`Messages for a conversation (${words.messages.length})`}>
            <p className="note">Not sent: Sonde has no conversation with a model.</p>
            {words.messages.map((text, index) => (
              <Lines key={index} text={text} />
            ))}
          </Disclosure>
        </div>
      )}
      {words.context !== null && (
        <div className={styles.extra}>
          <Disclosure summary="Context for a model">
            <p className="note">The latest from the app. Not sent: Sonde has no model.</p>
            <Lines text={words.context} />
          </Disclosure>
        </div>
      )}
    </>
  );
}

/**
 * One request of the app. Its buttons are disabled for a moment: an app can make the user click one place repeatedly,
 * and ask just then.
 */
function Question({ question, more }: { readonly question: AppQuestion; readonly more: number }): ReactNode {
  const { request, rule, answer } = question;
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), ARMING_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles.question} role="group" aria-label="The app asks" aria-live="polite">
      <RequestDetails request={request} />
      {more > 0 && <p className="note">{count(more, "more request waits", "more requests wait")}.</p>}
      <div className="wrap gapS2">
        {request.type === "link" ? (
          <Button small icon={ExternalLink} disabled={!armed} onClick={() => answer("once")}>
            Open in the browser
          </Button>
        ) : (
          <Button small disabled={!armed} onClick={() => answer("once")}>
            Allow once
          </Button>
        )}
        {rule !== null && (
          <Button small disabled={!armed} title="Until Sonde is closed" onClick={() => answer("always")}>
            Always for this server
          </Button>
        )}
        <Button small kind="quiet" onClick={() => answer("refuse")}>
          Refuse
        </Button>
      </div>
    </div>
  );
}

/** Text written by an app, with its line breaks. */
function Lines({ text }: { readonly text: string }): ReactNode {
  return (
    <pre className="monoFont asWritten maxHeight160 scrolls monoSize breakable" tabIndex={0}>
      <Marked text={text} lines />
    </pre>
  );
}

function RequestDetails({ request }: { readonly request: AppRequest }): ReactNode {
  switch (request.type) {
    case "tool":
      return (
        <>
          <p>
            The app wants to call <MarkedCode text={request.name} /> with these arguments:
          </p>
          <Lines text={request.arguments} />
        </>
      );
    case "resource":
      return (
        <p>
          The app wants to read <MarkedCode text={request.uri} />.
        </p>
      );
    case "link":
      return (
        <>
          <p>The app wants to open this page in your browser:</p>
          <PageAddress address={request.url} />
        </>
      );
    case "display":
      return <p>The app wants to be shown full size.</p>;
    case "message":
    case "context":
      return null;
  }
}
