import { Button } from "../components/Button";
import { Split } from "../components/Split";
import { itemName } from "../lib/itemName";
import type { ServerId } from "../ipc/bindings";
import { SmallContext, useMedia } from "../lib/useMedia";
import { visibleText } from "../lib/visible";
import { useActions, useAppState, useServer } from "../state/hooks";
import { ServerView } from "./ServerView";
import styles from "./Sides.module.css";

/** The selected server, and the server beside it. */
export function Sides({ server }: { readonly server: ServerId }) {
  const beside = useAppState((state) => state.view.beside);
  const room = useMedia("(width >= 1100px)");
  const alone = useAppState(({ view }) => {
    const maximized = (one: ServerId): boolean => (view.perServer[one]?.maximized ?? null) !== null;
    return beside === null ? null : maximized(server) ? server : maximized(beside.server) ? beside.server : null;
  });
  if (beside === null) return <ServerView key={server} server={server} />;
  if (!room) {
    return (
      <div className="fill">
        <NoRoom server={beside.server} />
        <div className="fit">
          <ServerView key={server} server={server} />
        </div>
      </div>
    );
  }
  const [left, right] = beside.left ? [beside.server, server] : [server, beside.server];
  return (
    <Split
      name="sides"
      label="the server at the left"
      sized="first"
      unit="%"
      standard={50}
      least={380}
      leastRest={380}
      collapsible={false}
      only={alone === null ? null : alone === left ? "first" : "second"}
      first={<Side key={left} server={left} selected={left === server} />}
      second={<Side key={right} server={right} selected={right === server} />}
    />
  );
}

/** One of two servers. Using it selects it. */
function Side({ server, selected }: { readonly server: ServerId; readonly selected: boolean }) {
  const actions = useActions();
  const view = useServer(server);
  const half = useMedia("(width < 1640px)");
  const select = (): void => {
    if (!selected) actions.activateSide(server);
  };
  return (
    <section
      className={styles.side}
      data-side={selected ? "selected" : "other"}
      aria-label={itemName({ title: null, name: visibleText(view?.config.name ?? "") })}
      onFocusCapture={select}
      onPointerDownCapture={select}
    >
      <SmallContext value={half}>
        <ServerView server={server} />
      </SmallContext>
    </section>
  );
}

function NoRoom({ server }: { readonly server: ServerId }) {
  const actions = useActions();
  const view = useServer(server);
  return (
    <div className={styles.noRoom} role="status">
      <span className="ellipsis stretch">
        “{itemName({ title: null, name: visibleText(view?.config.name ?? "") })}” has no room beside this server. Make
        the window wider.
      </span>
      <Button small kind="quiet" onClick={() => actions.activateSide(server)}>
        Show it instead
      </Button>
      <Button small kind="quiet" onClick={() => actions.closeSide(server)}>
        Close it
      </Button>
    </div>
  );
}
