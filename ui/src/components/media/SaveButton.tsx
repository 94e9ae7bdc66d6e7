import { Download, FolderOpen } from "lucide-react";
import { useState, type ReactNode } from "react";

import { SavedAs } from "../SavedAs";
import type { DocumentSource } from "../../ipc/bindings";
import { useActions } from "../../state/hooks";
import { Button, IconButton } from "../Button";

export interface SaveButtonProps {
  readonly source: DocumentSource;
  /** Icon only. */
  readonly compact?: boolean;
}

/** Saves a content block to a file that the user chooses, reports its path, and can show it in its folder. */
export function SaveButton({ source, compact = false }: SaveButtonProps): ReactNode {
  const actions = useActions();
  const [path, setPath] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    setPath((await actions.command("save_document", { source })) ?? null);
  };
  return (
    <>
      {compact ? (
        <IconButton small label="Save" icon={Download} onClick={() => void save()} />
      ) : (
        <Button small icon={Download} onClick={() => void save()}>
          Save
        </Button>
      )}
      {path !== null && (
        <>
          <SavedAs path={path} />
          <Button small icon={FolderOpen} onClick={() => void actions.command("show_saved_file", { path })}>
            Show in folder
          </Button>
        </>
      )}
    </>
  );
}
