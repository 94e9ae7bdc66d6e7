import { CircleAlert, KeyRound, LoaderCircle, LockKeyhole, LockKeyholeOpen, type LucideIcon } from "lucide-react";

import { Badge } from "../../components/Badge";
import type { AuthState, ServerId } from "../../ipc/bindings";
import { useCoarseNow } from "../../lib/useNow";
import { useActions, useAuth, useServer } from "../../state/hooks";
import styles from "./auth.module.css";
import { announcement, badgeWords } from "./badgeWords";

const icons: Readonly<Record<AuthState, LucideIcon>> = {
  signed_out: LockKeyholeOpen,
  discovering: LoaderCircle,
  prompt: KeyRound,
  confirmation: KeyRound,
  browser: KeyRound,
  exchanging: LoaderCircle,
  signed_in: LockKeyhole,
  refreshing: LoaderCircle,
  failed: CircleAlert,
};

/** Sign-in state of a server in words; opens the details. */
export function AuthBadge({ server }: { server: ServerId }) {
  const auth = useAuth(server);
  const name = useServer(server)?.config.name ?? "";
  const { selectTab } = useActions();
  const expires = auth?.state === "signed_in" ? (auth.grant?.expires_at ?? null) : null;
  const now = useCoarseNow(expires);
  const words = badgeWords(auth, now);
  return (
    <>
      {auth && words && (
        <Badge
          tone={words.tone}
          icon={icons[auth.state]}
          title={auth.grant && auth.grant.scopes.length > 0 ? auth.grant.scopes.join(" ") : undefined}
          onPress={() => selectTab(server, "sign_in")}
        >
          {words.word}
          {words.facts.map((fact, index) => (
            <span key={index} className={/scope/.test(fact) ? styles.badgeLess : undefined}>
              · {fact}
            </span>
          ))}
        </Badge>
      )}
      {/* Always rendered, so that screen readers announce changes. */}
      <span className="visuallyHidden" role="status">
        {announcement(auth, name)}
      </span>
    </>
  );
}
