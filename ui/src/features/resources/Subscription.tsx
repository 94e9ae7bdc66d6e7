import { Bell, BellOff, RefreshCw } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Checkbox } from "../../components/Field";
import { MarkedCode } from "../../components/Marked";
import { subscriptionWords } from "../../components/subscriptionWords";
import type { ResourceSubscription, ServerId } from "../../ipc/bindings";
import { operationActions } from "../../state/actions/operations";
import { useActions, useAppState, useIsReady, useResourceSubscription, useSlice } from "../../state/hooks";
import { isReadOf } from "../../state/operationName";
import type { Slice } from "../../state/slices/slice";

/** Least time between the starts of two automatic reads, in ms. */
const REREAD_PAUSE = 1_000;

/** URIs of resources that are read again at each update, while they are shown. */
const rereadsSlice: Slice<{ readonly uris: readonly string[] }> = { name: "rereads", initial: { uris: [] } };

interface SubscriptionProps {
  readonly server: ServerId;
  readonly uri: string;
}

/** Subscribes to a resource, or unsubscribes; renders nothing if the server does not support it. */
export function SubscribeButton({ server, uri }: SubscriptionProps): ReactNode {
  const actions = useActions().get(operationActions);
  const ready = useIsReady(server);
  const { supported, subscription } = useResourceSubscription(server, uri);
  const { type } = subscription?.state ?? { type: "failed" };
  if (!supported && !subscription) return null;
  const subscribed = type === "active" || type === "pending";
  return (
    <Button
      small
      icon={subscribed ? BellOff : Bell}
      disabled={!ready && !subscribed}
      aria-disabled={type === "ending"}
      onClick={() => void actions.setSubscribed(server, uri, !subscribed)}
    >
      {subscribed ? "Unsubscribe" : "Subscribe"}
    </Button>
  );
}

/** State of the subscription to a resource, with the updates reported by the server. */
export function SubscriptionState({ server, uri }: SubscriptionProps): ReactNode {
  const actions = useActions().get(operationActions);
  const ready = useIsReady(server);
  const { supported, subscription } = useResourceSubscription(server, uri);
  const [ui, setUi] = useSlice(server, rereadsSlice);
  const rereads = ui.uris.includes(uri);
  useRereads(server, uri, rereads ? subscription : undefined);
  if (!subscription) {
    return (
      <p className="muted">
        {!ready
          ? "Connect to subscribe to this resource."
          : supported
            ? "Not subscribed."
            : "No subscription: the server does not declare resources.subscribe."}
      </p>
    );
  }
  const { updated_at, unread, sub_resource } = subscription;
  return (
    <div className="stack gap4 alignStart" role="group" aria-label="Subscription">
      <div className="wrap digits gap4x8">
        {/* The text changes with each update, and is announced. */}
        <span role="status">{subscriptionWords(subscription, ready)}</span>
        {unread && <Badge tone="info">Not read since</Badge>}
        {subscription.state.type === "failed" && (
          <Button small kind="quiet" onClick={() => void actions.setSubscribed(server, uri, false)}>
            Dismiss
          </Button>
        )}
        {updated_at !== null && (
          <Button
            small
            kind="quiet"
            icon={RefreshCw}
            disabled={!ready}
            onClick={() => void actions.readResource(server, uri)}
          >
            Read again
          </Button>
        )}
      </div>
      {sub_resource !== null && (
        <span className="inlineRow selectable gap2 shrink breakable">
          <span className="muted">The update names </span>
          <MarkedCode text={sub_resource} />
        </span>
      )}
      {subscription.state.type !== "failed" && (
        <Checkbox
          label="Read again at each update, while this is shown"
          checked={rereads}
          onChange={(checked) => {
            const others = ui.uris.filter((one) => one !== uri);
            setUi({ uris: checked ? [...others, uri] : others });
          }}
        />
      )}
    </div>
  );
}

/** Reads a resource again after each update: one read at a time, and one more for all updates during a read. */
function useRereads(server: ServerId, uri: string, subscription: ResourceSubscription | undefined): void {
  const actions = useActions();
  const ready = useIsReady(server);
  const wanted = subscription?.unread === true && ready;
  const updates = subscription?.updates ?? 0;
  const isReading = useAppState(
    ({ live }) =>
      wanted &&
      (live.operationOrder[server] ?? []).some((number) => {
        const operation = live.operations[number];
        return operation?.state !== "finished" && isReadOf(operation, uri);
      }),
  );
  const [pausing, setPausing] = useState(false);
  // Each update causes one read, even if the read fails.
  const read = useRef({ uri, updates: 0 });
  useEffect(() => {
    if (!pausing) return undefined;
    const timer = setTimeout(() => setPausing(false), REREAD_PAUSE);
    return () => clearTimeout(timer);
  }, [pausing]);
  useEffect(() => {
    // A new subscription counts its updates from zero.
    if (read.current.uri !== uri || updates < read.current.updates) read.current = { uri, updates: 0 };
    if (!wanted || isReading || pausing || read.current.updates === updates) return;
    read.current.updates = updates;
    setPausing(true);
    void actions.get(operationActions).rereadResource(server, uri);
  }, [actions, server, uri, wanted, isReading, pausing, updates]);
}
