import { Bell, BellDot, BellOff, RefreshCw, X } from "lucide-react";
import type { ReactNode } from "react";

import { IconButton } from "../../components/Button";
import { Marked } from "../../components/Marked";
import { VirtualList } from "../../components/rows/VirtualList";
import { subscriptionWords } from "../../components/subscriptionWords";
import type { ResourceSubscription, ServerId } from "../../ipc/bindings";
import { count, number } from "../../lib/format";
import { operationActions } from "../../state/actions/operations";
import { useActions, useIsReady, useAppState } from "../../state/hooks";
import styles from "./connection.module.css";

/** Row height in px: two lines and their margins. */
const ROW = 48;
/** Number of rows visible without scrolling. */
const SEEN = 6;

/** All subscribed resources of a server, by URI, with the updates reported by the server. */
export function Subscriptions({ server }: { readonly server: ServerId }): ReactNode {
  const view = useAppState(({ live }) => live.subscriptions[server]);
  const ready = useIsReady(server);
  const all = view?.subscriptions ?? [];
  if (all.length === 0) {
    return (
      <p className={styles.quiet}>
        {!ready
          ? "No subscriptions."
          : view?.supported
            ? "No subscriptions. Subscribe to a resource on the Resources tab."
            : "No subscriptions: the server does not declare resources.subscribe."}
      </p>
    );
  }
  const unread = all.filter((one) => one.unread).length;
  return (
    <>
      <p className={styles.quiet}>
        {count(all.length, "resource", "resources")}
        {unread > 0 && `, ${number(unread)} updated and not read since`}
      </p>
      <div className={styles.subscriptions} style={{ height: Math.min(all.length, SEEN) * ROW }}>
        <VirtualList
          label="Resource subscriptions"
          count={all.length}
          rowHeight={ROW}
          render={(index) => <Row server={server} ready={ready} subscription={all[index]} />}
        />
      </div>
    </>
  );
}

interface RowProps {
  readonly server: ServerId;
  readonly ready: boolean;
  readonly subscription: ResourceSubscription | undefined;
}

function Row({ server, ready, subscription }: RowProps): ReactNode {
  const actions = useActions().get(operationActions);
  if (!subscription) return null;
  const { uri, state, unread } = subscription;
  const failed = state.type === "failed";
  const Icon = failed ? BellOff : unread ? BellDot : Bell;
  return (
    <div className="row gap8 tall pad0x8">
      <Icon size={14} className="rigid selfCenter" aria-hidden />
      <span className="stack grow">
        <code className="ellipsis unbroken" data-tip={uri}>
          <Marked text={uri} />
        </code>
        <span className="note ellipsis unbroken digits" data-tip={subscriptionWords(subscription, ready)}>
          {subscriptionWords(subscription, ready)}
          {unread && " · not read since"}
        </span>
      </span>
      <IconButton
        small
        label={`Read ${uri}`}
        icon={RefreshCw}
        disabled={!ready}
        onClick={() => void actions.openUri(server, uri)}
      />
      <IconButton
        small
        label={`${failed ? "Dismiss" : "Unsubscribe from"} ${uri}`}
        icon={failed ? X : BellOff}
        disabled={state.type === "ending"}
        onClick={() => void actions.setSubscribed(server, uri, false)}
      />
    </div>
  );
}
