import { Button } from "../components/Button";
import { Dialog } from "../components/Dialog";
import { shortcuts } from "../lib/shortcuts";
import { useActions, useAppState } from "../state/hooks";
import styles from "./dialogs.module.css";

/** The keys of the window, on `?`. */
export function ShortcutsDialog() {
  const open = useAppState((state) => state.view.shortcutsOpen);
  const { setShortcutsOpen } = useActions();
  return (
    <Dialog
      title="Keyboard shortcuts"
      open={open}
      onClose={() => setShortcutsOpen(false)}
      footer={
        <Button small onClick={() => setShortcutsOpen(false)}>
          Close
        </Button>
      }
    >
      <dl className="stack">
        {shortcuts.map(({ keys, does }) => (
          <div key={keys} className={styles.key}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
