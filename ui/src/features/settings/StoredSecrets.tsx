import { useEffect, useRef, useState, type RefObject } from "react";

import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Callout, ErrorCallout } from "../../components/Callout";
import { Confirm } from "../../components/Confirm";
import { Facts } from "../../components/Facts";
import { Spinner } from "../../components/Spinner";
import { toBackendError, type BackendError } from "../../ipc/backend";
import type { StoredSecret } from "../../ipc/bindings";
import { useAppState, useBackend } from "../../state/hooks";
import { useFetched } from "../../state/queries";
import { consequence, kindWords, retried, when } from "./secretWords";
import styles from "./StoredSecrets.module.css";

/** Target of the focus once the list is back: a row, or the heading. */
type Target = { readonly row: string | null };

/** List of the stored secrets with their places; never the secrets themselves. */
export function StoredSecrets({ heading }: { heading: RefObject<HTMLHeadingElement | null> }) {
  const backend = useBackend();
  const [round, setRound] = useState(0);
  // A sign-in that ends meanwhile changes the list.
  const grants = useAppState((state) =>
    Object.values(state.live.auth)
      .map(({ grant }) => (grant ? `${grant.token_fingerprint} ${grant.kept}` : ""))
      .join("\n"),
  );
  const fetched = useFetched("secrets", `${round}\n${grants}`, () => backend.call("stored_secrets", {}));
  const [asked, setAsked] = useState<string | null>(null);
  const [said, setSaid] = useState("");
  /** Failure of deleting this secret, or (`null`) of moving all secrets to the keyring. */
  const [failure, setFailure] = useState<{ readonly of: string | null; readonly error: BackendError } | null>(null);
  const [busy, setBusy] = useState(false);
  const part = useRef<HTMLDivElement>(null);
  const target = useRef<Target | null>(null);

  const stored = fetched.value;
  useEffect(() => {
    const wanted = target.current;
    if (wanted === null || fetched.state === "loading") return;
    target.current = null;
    const rows = [...(part.current?.querySelectorAll<HTMLElement>("[data-secret]") ?? [])];
    const row = rows.find((each) => each.dataset["secret"] === wanted.row);
    (row?.querySelector<HTMLElement>("[data-delete]") ?? heading.current)?.focus();
  }, [fetched, heading]);

  const read = (then: Target): void => {
    target.current = then;
    setRound((known) => known + 1);
  };

  /** Runs one action at a time; `of` is the secret that it is about. */
  const attempt = async (of: string | null, act: () => Promise<void>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    await act().catch((thrown: unknown) => setFailure({ of, error: toBackendError(thrown) }));
    setBusy(false);
  };
  const remove = ({ id, title }: StoredSecret, next: string | null): Promise<void> =>
    attempt(id, async () => {
      await backend.call("delete_secret", { id });
      setSaid(`Deleted: ${title}.`);
      setAsked(null);
      read({ row: next });
    });
  const retry = (): Promise<void> =>
    attempt(null, async () => {
      setSaid("");
      const taken = await backend.call("retry_keyring", {});
      const { usable, secrets } = await backend.call("stored_secrets", {});
      const left = secrets.filter(({ kept }) => kept === "memory").length;
      setSaid(retried(taken, left));
      // The button disappears when nothing is left to retry.
      if (usable && left === 0) read({ row: null });
      else setRound((known) => known + 1);
    });

  return (
    <div className="stack gap12 wide" ref={part}>
      {fetched.state === "loading" && <Spinner label="Reading the keyring…" />}
      {fetched.state === "failed" && (
        <Callout
          level="error"
          role="alert"
          title={fetched.error.message}
          actions={
            <Button small onClick={() => read({ row: null })}>
              Try again
            </Button>
          }
        >
          {fetched.error.detail !== undefined && <p>{fetched.error.detail}</p>}
        </Callout>
      )}
      {stored !== undefined && (
        <Place
          place={stored.place}
          usable={stored.usable}
          waiting={stored.secrets.filter(({ kept }) => kept === "memory").length}
          total={stored.secrets.length}
          onRetry={() => void retry()}
        />
      )}
      {failure?.of === null && <ErrorCallout role="alert" error={failure.error} />}
      <p role="status" className={said === "" ? "visuallyHidden" : "muted"}>
        {said}
      </p>
      {stored !== undefined && stored.secrets.length === 0 && <p className="muted">Nothing is stored.</p>}
      {stored !== undefined && stored.secrets.length > 0 && (
        <ul className="box noBullets" aria-label="Stored secrets">
          {stored.secrets.map((secret, index) => (
            <Row
              key={secret.id}
              secret={secret}
              asked={asked === secret.id}
              failure={failure?.of === secret.id ? failure.error : null}
              onAsk={(wanted) => {
                setFailure(null);
                setAsked(wanted ? secret.id : null);
              }}
              onDelete={() => void remove(secret, stored.secrets[index + 1]?.id ?? null)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface PlaceProps {
  place: string;
  usable: boolean;
  /** Number of secrets that the keyring has not accepted. */
  waiting: number;
  total: number;
  onRetry: () => void;
}

function Place({ place, usable, waiting, total, onRetry }: PlaceProps) {
  if (usable && waiting === 0) return <p>{place}</p>;
  return (
    <Callout
      level="warning"
      title={
        waiting === 0
          ? "The keyring is not available."
          : waiting < total
            ? "Some secrets are in memory only."
            : "All secrets are in memory only."
      }
      actions={
        <Button small onClick={onRetry}>
          Try again
        </Button>
      }
    >
      <p>{place}</p>
      {waiting > 0 && <p>Secrets in memory are lost when Sonde quits.</p>}
    </Callout>
  );
}

interface RowProps {
  secret: StoredSecret;
  /** The user is asked to confirm the deletion. */
  asked: boolean;
  /** Failure of the deletion. */
  failure: BackendError | null;
  onAsk: (asked: boolean) => void;
  onDelete: () => void;
}

function Row({ secret, asked, failure, onAsk, onDelete }: RowProps) {
  const known = useAppState((state) => state.live.servers);
  const servers = secret.servers.flatMap((id) => known[id]?.config.name ?? []);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <li className={styles.row} data-secret={secret.id}>
      <div className="row gap8">
        <p className="selectable grow medium">{secret.title}</p>
        <Badge>{kindWords[secret.kind][0]}</Badge>
        {secret.kept === "memory" ? <Badge tone="warn">In memory only</Badge> : <Badge>In the keyring</Badge>}
        <Button ref={button} small data-delete aria-expanded={asked} onClick={() => onAsk(!asked)}>
          Delete…
          <span className="visuallyHidden">
            {" "}
            {secret.title}
            {servers.length > 0 && ` (${servers.join(", ")})`}
          </span>
        </Button>
      </div>
      <div className="small">
        <Facts items={facts(secret, servers)} />
      </div>
      {failure !== null && <ErrorCallout role="alert" error={failure} />}
      {asked && (
        <Confirm
          label={`Delete ${secret.title}?`}
          action="Delete"
          keep="Keep"
          onConfirm={onDelete}
          onKeep={() => {
            onAsk(false);
            button.current?.focus();
          }}
        >
          {consequence(secret, servers)}
        </Confirm>
      )}
    </li>
  );
}

function facts(secret: StoredSecret, servers: readonly string[]): readonly (readonly [string, string | null])[] {
  // Values already in the title are not repeated.
  const unsaid = (value: string | null): string | null =>
    value !== null && secret.title.endsWith(` ${value}`) ? null : value;
  return [
    ["Contains", kindWords[secret.kind][1]],
    ["Issuer", unsaid(secret.issuer)],
    ["Resource", unsaid(secret.resource)],
    ["Client ID", secret.client_id],
    ["Used by", servers.length === 0 ? "no server" : servers.join(", ")],
    ["Stored", secret.saved_at === null ? null : when(secret.saved_at)],
  ];
}
