import { ExternalLink, KeyRound } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, type KeyboardEvent } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Disclosure } from "../../components/Disclosure";
import { Facts } from "../../components/Facts";
import { Prose } from "../../components/Prose";
import { Spinner } from "../../components/Spinner";
import type { ServerId, SignInPrompt } from "../../ipc/bindings";
import { useNow } from "../../lib/useNow";
import { useActions, useAppState, useAuth, useServer, useServerUi } from "../../state/hooks";
import { HostMarked, WholeAddress } from "./Address";
import styles from "./auth.module.css";
import { isOccupied } from "./focus";
import { PasteRedirect } from "./PasteRedirect";
import { Scopes } from "./Scopes";
import { clientWords, givenUpWords, opensElsewhere } from "./words";

/** The sign-in that waits for the user: what is asked for, by whom, and the whole address, before the browser opens. */
export function SignInCard({ server }: { server: ServerId }) {
  const prompt = useAuth(server)?.prompt ?? null;
  // Another sign-in is another card.
  return prompt && <Prompt key={prompt.url} server={server} prompt={prompt} />;
}

function Prompt({ server, prompt }: { server: ServerId; prompt: SignInPrompt }) {
  const name = useServer(server)?.config.name ?? "";
  const opened = useAuth(server)?.state === "browser" || prompt.opened;
  const actions = useActions();
  const now = useNow(1000);
  const id = useId();
  const [primary, guardKey] = useFocusOnce(server, prompt.url);
  const card = useFocusLeft();
  return (
    <section ref={card} className={styles.card} aria-labelledby={id} data-sign-in={prompt.attempt}>
      <div className={styles.cardHead}>
        <KeyRound size={15} aria-hidden className={styles.cardIcon} />
        <h2 id={id} className={styles.cardTitle}>
          Sign in to {name}
        </h2>
        <span className={styles.quiet}>{givenUpWords(prompt.expires_at, now)}</span>
      </div>
      {opened && <Spinner label="Waiting for the browser…" />}
      <p className="selectable">
        <Prose text={prompt.reason} />
      </p>
      {prompt.warnings.map((warning) => (
        <Callout key={warning} level="warning">
          <p>
            <Prose text={warning} />
          </p>
        </Callout>
      ))}
      {opened ? (
        <Disclosure summary="Requested access and full URL">
          <Asked prompt={prompt} />
        </Disclosure>
      ) : (
        <Asked prompt={prompt} />
      )}
      {!prompt.listening ? (
        <>
          <p>
            Sonde cannot receive the browser’s redirect at <code className={styles.code}>{prompt.redirect_uri}</code>.
            Sign in there; the browser then ends on a page that it cannot load. Paste the URL of that page here.
          </p>
          <PasteRedirect server={server} prompt={prompt} />
        </>
      ) : (
        opened && (
          <Disclosure summary="Browser on another computer? Paste the redirect URL">
            <PasteRedirect server={server} prompt={prompt} />
          </Disclosure>
        )
      )}
      {opened && prompt.client_kind === "registered" && (
        <Disclosure summary="Does the sign-in page reject the client?">
          <p className={styles.forgotten}>
            The authorization server may have lost the client that Sonde registered, as servers under development do
            when they restart.
          </p>
          <Button small onClick={() => void actions.command("register_again", { server, attempt: prompt.attempt })}>
            Register again
          </Button>
        </Disclosure>
      )}
      <div className={styles.cardFoot}>
        <Button
          ref={primary}
          data-open-sign-in=""
          kind={opened ? "plain" : "primary"}
          icon={ExternalLink}
          onKeyDown={guardKey}
          onClick={() => void actions.command("open_sign_in", { server, attempt: prompt.attempt })}
        >
          {opened ? "Open again" : "Open in browser"}
        </Button>
        <Button onClick={() => void actions.cancelSignIn(server)}>Cancel</Button>
      </div>
    </section>
  );
}

/** The address comes first, so that nothing a server says, however long, pushes it out of view. */
function Asked({ prompt }: { prompt: SignInPrompt }) {
  return (
    <div className={styles.asked}>
      <WholeAddress label="Sign-in URL" address={prompt.url} />
      <Facts
        items={[
          ["Issuer", <HostMarked key="issuer" address={prompt.issuer} />],
          ...(opensElsewhere(prompt)
            ? [
                [
                  "Sign-in page",
                  <strong key="host" className={styles.host}>
                    {prompt.host}
                  </strong>,
                ] as const,
              ]
            : []),
          ["Resource", <HostMarked key="resource" address={prompt.resource} />],
          [
            "Scopes",
            <Scopes
              key="scopes"
              scopes={prompt.scopes}
              added={prompt.new_scopes}
              none="None requested: the authorization server decides."
            />,
          ],
          [
            "Client ID",
            <span key="client">
              <code className={styles.code}>{prompt.client_id}</code>{" "}
              <span className={styles.quiet}>({clientWords[prompt.client_kind]})</span>
            </span>,
          ],
          [
            "Redirect URI",
            <code key="redirect" className={styles.code}>
              {prompt.redirect_uri}
            </code>,
          ],
        ]}
      />
    </div>
  );
}

/** How long keys are ignored after the focus came by itself, in ms: they were meant for something else. */
const STRAY_KEY_MS = 500;

/**
 * The button that takes the focus once in the life of a sign-in, unless the user is typing or
 * choosing something elsewhere; and whenever the user asks for the card.
 */
function useFocusOnce(server: ServerId, signIn: string) {
  const ref = useRef<HTMLButtonElement>(null);
  const taken = useRef(Number.NEGATIVE_INFINITY);
  const actions = useActions();
  const wanted = useAppState((state) => state.view.signInFocus === server);
  const seen = useServerUi(server, (ui) => ui.signInSeen) === signIn;
  useEffect(() => {
    if (seen && !wanted) return;
    // What is to be read stays in view; the buttons always are.
    if (wanted || !isOccupied(document.activeElement)) ref.current?.focus({ preventScroll: true });
    if (!wanted) taken.current = performance.now();
    actions.signInFocused(server, signIn);
  }, [actions, server, signIn, seen, wanted]);
  // Nothing opens before the user has had a chance to read it.
  const guardKey = (event: KeyboardEvent): void => {
    const stray = event.repeat || event.timeStamp - taken.current < STRAY_KEY_MS;
    if (stray && (event.key === "Enter" || event.key === " ")) event.preventDefault();
  };
  return [ref, guardKey] as const;
}

/** Hands the focus on when the card goes away with it: to the card in its new place, or to the selected tab. */
function useFocusLeft() {
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const section = card.current;
    return () => {
      if (!section?.contains(document.activeElement)) return;
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        const next =
          document.querySelector<HTMLElement>("[data-open-sign-in]") ??
          document.querySelector<HTMLElement>("[role=tab][aria-selected=true]");
        next?.focus({ preventScroll: true });
      });
    };
  }, []);
  return card;
}
