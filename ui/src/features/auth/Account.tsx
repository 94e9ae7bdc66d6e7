import { Address } from "../../components/Address";
import { Facts } from "../../components/Facts";
import { VisibleText } from "../../components/VisibleText";
import type { Grant } from "../../ipc/bindings";
import { clockTime, count } from "../../lib/format";
import { useCoarseNow } from "../../lib/useNow";
import { agoWords, clientWords, expiryDate, keptWords } from "./authWords";
import { Scopes } from "./Scopes";

/** Facts about the current token: its issuer, client, scopes and times. Tokens are shown only as fingerprints. */
export function Account({ grant }: { grant: Grant }) {
  const now = useCoarseNow(grant.expires_at, grant.granted_at);
  return (
    <Facts
      items={{
        Issuer: <Address address={grant.issuer} />,
        Resource: <Address address={grant.resource} />,
        "Client ID": <ClientOf of={grant} />,
        Scopes: <Scopes scopes={grant.scopes} none="None stated" />,
        "Access token": (
          <Mark mark={grant.token_fingerprint} note={`${grant.token_type}; fingerprint, not the token`} />
        ),
        "Refresh token":
          grant.refresh_fingerprint === null ? (
            "None issued"
          ) : (
            <Mark mark={grant.refresh_fingerprint} note="fingerprint, not the token" />
          ),
        Issued: `${clockTime(grant.granted_at).slice(0, 8)}, ${agoWords(grant.granted_at, now)}`,
        Expires: expiryDate(grant.expires_at, now),
        Refreshed: grant.refreshed === 0 ? "Not yet" : count(grant.refreshed, "time", "times"),
        Stored: keptWords(grant.kept),
      }}
    />
  );
}

/** A client ID, and the way in which Sonde obtained it. */
export function ClientOf({ of }: { of: Pick<Grant, "client_id" | "client_kind"> }) {
  return (
    <span>
      <VisibleText code text={of.client_id} /> <span className="note digits">({clientWords[of.client_kind]})</span>
    </span>
  );
}

function Mark({ mark, note }: { mark: string; note: string }) {
  return (
    <span>
      <code className="monoFont breakable monoSize">{mark}</code> <span className="note digits">({note})</span>
    </span>
  );
}
