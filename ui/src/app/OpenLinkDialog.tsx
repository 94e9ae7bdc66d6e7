import { Address } from "../components/Address";
import { Button } from "../components/Button";
import { CopyButton } from "../components/CopyButton";
import { Dialog } from "../components/Dialog";
import { PaneBoundary } from "../components/PaneBoundary";
import { normalForm } from "../lib/address";
import { useActions, useAppState } from "../state/hooks";
import type { LinkSource } from "../state/view";
import styles from "./dialogs.module.css";

/**
 * Shows a whole address before it is opened: the only way out of the window, except for pages that a server asks to
 * open, whose card does the same (`PageAddress`).
 */
export function OpenLinkDialog() {
  const url = useAppState((state) => state.view.opening?.url);
  return (
    <PaneBoundary name="Open link" resetKey={url ?? null}>
      <LinkDialog />
    </PaneBoundary>
  );
}

/** Sentences about the source of an address. */
const SOURCES: Readonly<Record<LinkSource, string>> = {
  server: "This link comes from a server.",
  specification: "This is a page of a specification.",
  guide: "This link comes from the guide.",
  releases: "Newer versions of Sonde are published there.",
  hosts: "This is a source of Sonde’s facts about MCP hosts.",
};

function LinkDialog() {
  const opening = useAppState((state) => state.view.opening);
  const url = opening?.url;
  const { answerOpen } = useActions();
  return (
    <Dialog
      title="Open this link in your browser?"
      open={url !== undefined}
      onClose={() => void answerOpen(false)}
      footer={
        <>
          <CopyButton text={normalForm(url ?? "")} label="Copy URL" />
          <Button small onClick={() => void answerOpen(false)}>
            Cancel
          </Button>
          <Button small kind="primary" onClick={() => void answerOpen(true)}>
            Open
          </Button>
        </>
      }
    >
      <div className={styles.address}>{url !== undefined && <Address address={url} written />}</div>
      <p className="marginTop8 muted">
        {SOURCES[opening?.from ?? "server"]} The site at this URL will see that you opened it.
      </p>
    </Dialog>
  );
}
