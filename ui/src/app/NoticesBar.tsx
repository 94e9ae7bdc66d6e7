import { Callout } from "../components/Callout";
import { Disclosure } from "../components/Disclosure";
import { HelpButton } from "../components/HelpButton";
import type { Notice } from "../ipc/bindings";
import { visibleText } from "../lib/visible";
import { useActions, useAppState, useParts } from "../state/hooks";
import styles from "./NoticesBar.module.css";

/**
 * Notices as part of the page: they never pop up, and stay until dismissed. A failure in the window about a server is
 * shown with that server, and with the server that was selected when it happened.
 */
export function NoticesBar() {
  const fromHost = useAppState((state) => state.live.notices);
  const local = useParts(({ view }) =>
    view.localNotices.filter(({ server, at }) => server === null || server === view.server || at === view.server),
  );
  if (fromHost.length + local.length === 0) return null;
  return (
    <section className={styles.bar} aria-label="Notices">
      {local.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} />
      ))}
      {fromHost.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} />
      ))}
    </section>
  );
}

/** Returns true if the notice gets a help button. Invalid input gets none: its text names the correction. */
function hasEntry({ level, code }: Notice): boolean {
  return level !== "info" && code !== "invalid_input";
}

function NoticeLine({ notice }: { notice: Notice }) {
  const { dismissNotice } = useActions();
  const server = useAppState((state) => (notice.server === null ? undefined : state.live.servers[notice.server]));
  return (
    <Callout
      level={notice.level}
      role={notice.level === "error" ? "alert" : "status"}
      onDismiss={() => void dismissNotice(notice.id)}
      actions={hasEntry(notice) ? <HelpButton about="sonde" code={notice.code} sentence={notice.title} /> : undefined}
      title={server ? `${visibleText(server.config.name)}: ${notice.title}` : notice.title}
    >
      {notice.detail !== null && (
        <Disclosure summary="Details">
          <pre className="scrolls asWritten">{notice.detail}</pre>
        </Disclosure>
      )}
    </Callout>
  );
}
