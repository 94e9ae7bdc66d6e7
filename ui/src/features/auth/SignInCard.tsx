import { Check, ExternalLink, KeyRound, type LucideIcon } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { Address } from "../../components/Address";
import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { Disclosure } from "../../components/Disclosure";
import { Facts } from "../../components/Facts";
import { TextInput } from "../../components/Field";
import { Prose, Sentence } from "../../components/Prose";
import { Spinner } from "../../components/Spinner";
import { VisibleText } from "../../components/VisibleText";
import { Warnings } from "../../components/Warnings";
import type { IssuerConfirmation, ServerId, SignInPrompt } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { isTyping } from "../../lib/shortcuts";
import { useCoarseNow } from "../../lib/useNow";
import { signInActions } from "../../state/actions/signingIn";
import { useActions, useAppState, useAuth, useServer, useSliceValue } from "../../state/hooks";
import { waitingSignIn } from "../../state/signIn";
import { signInSlice } from "../../state/slices/signIn";
import { ClientOf } from "./Account";
import styles from "./auth.module.css";
import { givenUpWords, isBusy, opensElsewhere, stateSentence } from "./authWords";
import { Scopes } from "./Scopes";

/** Card of the sign-in that waits for the user. */
export function SignInCard({ server }: { server: ServerId }) {
  const auth = useAuth(server);
  // Another sign-in gets another card.
  const key = waitingSignIn(auth) ?? "";
  if (auth?.confirmation) {
    return <ConfirmIssuer key={key} server={server} signIn={key} confirmation={auth.confirmation} />;
  }
  return auth?.prompt ? <Prompt key={key} server={server} prompt={auth.prompt} /> : null;
}

/** Request of a sign-in before the browser opens: its scopes, the server, and the whole address. */
function Prompt({ server, prompt }: { server: ServerId; prompt: SignInPrompt }) {
  const name = useServer(server)?.config.name ?? "";
  const opened = useAuth(server)?.state === "browser" || prompt.opened;
  const actions = useActions();
  return (
    <Card
      server={server}
      signIn={prompt.url}
      attempt={prompt.attempt}
      title={
        <>
          Sign in to <VisibleText text={name} />
        </>
      }
      expiresAt={prompt.expires_at}
      action={{
        label: opened ? "Open again" : "Open in browser",
        icon: ExternalLink,
        again: opened,
        run: () => void actions.command("open_sign_in", { server, attempt: prompt.attempt }),
      }}
    >
      {opened && <Spinner label="Waiting for the browser…" />}
      <Sentence className="selectable" text={prompt.reason} />
      <Warnings warnings={prompt.warnings} />
      {opened ? (
        <Disclosure summary="Requested access and full URL">
          <PromptDetails prompt={prompt} />
        </Disclosure>
      ) : (
        <PromptDetails prompt={prompt} />
      )}
      {!prompt.listening ? (
        <>
          <p>
            Sonde cannot receive the browser’s redirect at <VisibleText code text={prompt.redirect_uri} />. Sign in
            there; the browser then ends on a page that it cannot load. Paste the URL of that page here.
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
            The authorization server may have lost Sonde’s registration, for example after a restart during development.
          </p>
          <Button small onClick={() => void actions.command("register_again", { server, attempt: prompt.attempt })}>
            Register again
          </Button>
        </Disclosure>
      )}
    </Card>
  );
}

const NO_SCOPES = "None requested: the authorization server decides.";

/** Details of the request. The address comes first, so that no text of a server, however long, hides it. */
function PromptDetails({ prompt }: { prompt: SignInPrompt }) {
  return (
    <div className="stack gap8">
      <WholeAddress label="Sign-in URL" address={prompt.url} />
      <Facts
        items={{
          Issuer: <Address address={prompt.issuer} />,
          "Sign-in page": opensElsewhere(prompt) && (
            <strong>
              <VisibleText text={prompt.host} />
            </strong>
          ),
          Resource: <Address address={prompt.resource} />,
          Scopes: <Scopes scopes={prompt.scopes} added={prompt.new_scopes} none={NO_SCOPES} />,
          "Client ID": <ClientOf of={prompt} />,
          "Redirect URI": <VisibleText code text={prompt.redirect_uri} />,
        }}
      />
    </div>
  );
}

/** Takes the address at which the browser ended. Typed text stays until it is accepted. */
function PasteRedirect({ server, prompt }: { server: ServerId; prompt: SignInPrompt }) {
  const actions = useActions().get(signInActions);
  const kept = useSliceValue(server, signInSlice, (ui) => ui.redirect);
  const text = kept?.signIn === prompt.url ? kept.text : "";
  const [refused, setRefused] = useState<{ readonly text: string; readonly why: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const why = refused?.text === text ? refused.why : undefined;

  const send = async (): Promise<void> => {
    if (busy || text.trim() === "") return;
    setBusy(true);
    const problem = await actions.pasteRedirect(server, prompt.attempt, text);
    setBusy(false);
    setRefused(problem === null ? null : { text, why: problem });
  };

  return (
    <form
      className="grid gap8 growAuto alignTop"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextInput
        label="Redirect URL from the browser"
        mono
        value={text}
        placeholder={`${prompt.redirect_uri}?code=…`}
        hint={`Starts with ${prompt.redirect_uri}`}
        error={why}
        onChange={(value) => actions.setRedirect(server, prompt.url, value)}
      />
      <Button type="submit" className={styles.pasteButton} disabled={busy || text.trim() === ""}>
        Continue
      </Button>
      <span className="visuallyHidden" role="status">
        {why !== undefined && <Prose text={why} />}
      </span>
    </form>
  );
}

interface ConfirmIssuerProps {
  server: ServerId;
  signIn: string;
  confirmation: IssuerConfirmation;
}

/** Confirmation of an authorization server that only the server named, before the user's secrets are sent there. */
function ConfirmIssuer({ server, signIn, confirmation }: ConfirmIssuerProps) {
  const name = useServer(server)?.config.name ?? "";
  const actions = useActions();
  return (
    <Card
      server={server}
      signIn={signIn}
      attempt={confirmation.attempt}
      title={
        <>
          Confirm the issuer for <VisibleText text={name} />
        </>
      }
      expiresAt={confirmation.expires_at}
      action={{
        label: "Confirm issuer",
        icon: Check,
        run: () => void actions.command("confirm_issuer", { server, attempt: confirmation.attempt }),
      }}
    >
      <p className="selectable">
        The server names the issuer below, and its settings have none. If you confirm, Sonde sends{" "}
        {confirmation.credential} to this token endpoint, and from then on to no other issuer. Confirm only an issuer
        that you know.
      </p>
      <Warnings warnings={confirmation.warnings} />
      <div className="stack gap8">
        <WholeAddress label="Token endpoint" address={confirmation.token_endpoint} />
        <Facts
          items={{
            Issuer: <Address address={confirmation.issuer} />,
            Resource: <Address address={confirmation.resource} />,
            Scopes: <Scopes scopes={confirmation.scopes} none={NO_SCOPES} />,
            "Client ID": confirmation.client_id !== "" && <VisibleText code text={confirmation.client_id} />,
          }}
        />
      </div>
    </Card>
  );
}

/** Sign-in that a connection waits for: the card, or its progress. */
export function SignInProgress({ server }: { server: ServerId }) {
  const auth = useAuth(server);
  if (!auth) return null;
  if (waitingSignIn(auth) !== null) return <SignInCard server={server} />;
  if (!isBusy(auth)) return null;
  return <Spinner label={stateSentence(auth)} />;
}

/** Length from which an address gets a scrolling box, so that it does not bury the content around it, in characters. */
const ENDLESS_ADDRESS = 8_000;

/** A whole address, never cut: it wraps, can be selected and copied. */
function WholeAddress({ label, address }: { label: string; address: string }) {
  const endless = address.length > ENDLESS_ADDRESS;
  return (
    <div className="stack gap2" role="group" aria-label={label}>
      <div className="row gap8">
        <span className="medium">{label}</span>
        <CopyButton compact text={address} label="Copy URL" />
      </div>
      {/* A scroller must be reachable by keyboard. */}
      <p
        className={cx("codeBox selectable pad8", endless && styles.addressEndless)}
        dir="ltr"
        tabIndex={endless ? 0 : undefined}
        data-focus="inset"
      >
        <Address address={address} written />
      </p>
    </div>
  );
}

interface CardProps {
  server: ServerId;
  /** Identity of the sign-in, which never changes. */
  signIn: string;
  attempt: number;
  title: ReactNode;
  /** Time at which the sign-in expires, in ms since the epoch. */
  expiresAt: number;
  children: ReactNode;
  /** Main button, which continues the sign-in. */
  action: { readonly label: string; readonly icon: LucideIcon; readonly again?: boolean; readonly run: () => void };
}

/** A sign-in that waits for the user: its details, and the one button that continues it. */
function Card({ server, signIn, attempt, title, expiresAt, children, action }: CardProps) {
  const actions = useActions().get(signInActions);
  const now = useCoarseNow(expiresAt);
  const id = useId();
  const [primary, guardKey] = useFocusOnce(server, signIn);
  const card = useFocusLeft();
  return (
    <section ref={card} className={styles.card} aria-labelledby={id} data-sign-in={attempt}>
      <div className="wrap gap4x8">
        <KeyRound size={15} aria-hidden className="rigid warn" />
        <h2 id={id} className="grow strong breakable large">
          {title}
        </h2>
        <span className="note digits">{givenUpWords(expiresAt, now)}</span>
      </div>
      {children}
      <div className={styles.cardFoot}>
        <Button
          ref={primary}
          data-open-sign-in=""
          kind={action.again ? "plain" : "primary"}
          icon={action.icon}
          onKeyDown={guardKey}
          onClick={action.run}
        >
          {action.label}
        </Button>
        <Button onClick={() => void actions.cancelSignIn(server)}>Cancel</Button>
      </div>
    </section>
  );
}

/** Time for which keys are ignored after the focus came automatically, in ms: they were meant for something else. */
const STRAY_KEY_MS = 500;

/**
 * Ref of the button that takes the focus once per sign-in, unless the user is typing or choosing elsewhere, and
 * whenever the user asks for the card.
 */
function useFocusOnce(server: ServerId, signIn: string) {
  const ref = useRef<HTMLButtonElement>(null);
  const taken = useRef(Number.NEGATIVE_INFINITY);
  const actions = useActions();
  const wanted = useAppState((state) => state.view.signInFocus === server);
  const seen = useSliceValue(server, signInSlice, (ui) => ui.seen) === signIn;
  useEffect(() => {
    if (seen && !wanted) return;
    // The text stays visible; the buttons always are.
    if (wanted || !isOccupied(document.activeElement)) ref.current?.focus({ preventScroll: true });
    if (!wanted) taken.current = performance.now();
    actions.get(signInActions).signInFocused(server, signIn);
  }, [actions, server, signIn, seen, wanted]);
  // Nothing opens before the user could read the card.
  const guardKey = (event: KeyboardEvent): void => {
    const stray = event.repeat || event.timeStamp - taken.current < STRAY_KEY_MS;
    if (stray && (event.key === "Enter" || event.key === " ")) event.preventDefault();
  };
  return [ref, guardKey] as const;
}

/** Moves the focus when the focused card disappears: to the card in its new place, or to the selected tab. */
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

/** True if the user is in the middle of something that must keep the focus. */
function isOccupied(element: Element | null): boolean {
  return isTyping(element) || (element?.closest("[role=dialog], [role=alertdialog], [role=menu]") ?? null) !== null;
}
