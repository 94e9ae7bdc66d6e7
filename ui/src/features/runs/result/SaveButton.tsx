import { Download } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import type { DocumentSource } from "../../../ipc/bindings";
import { useActions } from "../../../state/hooks";
import styles from "./result.module.css";

/** Saves a piece of content and says where it went. */
export function SaveButton({ source }: { readonly source: DocumentSource }): ReactNode {
  const actions = useActions();
  const [path, setPath] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    setPath((await actions.command("save_document", { source })) ?? null);
  };
  return (
    <>
      <Button small icon={Download} onClick={() => void save()}>
        Save
      </Button>
      {path !== null && (
        <span className={styles.saved} role="status">
          Saved as {path}
        </span>
      )}
    </>
  );
}
