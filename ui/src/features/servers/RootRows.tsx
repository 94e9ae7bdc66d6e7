import { FolderOpen } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";

import { IconButton } from "../../components/Button";
import { TextInput } from "../../components/Field";
import type { RootFolder } from "../../ipc/bindings";
import { useActions } from "../../state/hooks";
import { EditRows } from "./EditRows";
import { fieldsOf, type ProblemOf } from "./serverDraft";
import styles from "./ServerForm.module.css";

interface RootRowsProps {
  readonly roots: readonly RootFolder[];
  readonly problemOf: ProblemOf;
  readonly onChange: (roots: RootFolder[]) => void;
}

const BLANK: RootFolder = { folder: "", name: null };

/** Folders that a server may work in: a path or URI, and a display name. */
export function RootRows({ roots, problemOf, onChange }: RootRowsProps): ReactNode {
  const actions = useActions();
  const choosing = useRef(false);
  // Text typed while the system dialog is open stays.
  const latest = useRef(roots);
  useEffect(() => {
    latest.current = roots;
  }, [roots]);
  const choose = async (index: number): Promise<void> => {
    if (choosing.current) return;
    choosing.current = true;
    const folder = await actions.command("choose_folder", {});
    choosing.current = false;
    const root = latest.current[index];
    // If a row was added or removed meanwhile, the index may belong to another root.
    if (folder && root && latest.current.length === roots.length)
      onChange(latest.current.with(index, { ...root, folder }));
  };
  return (
    <EditRows
      entries={roots}
      onChange={onChange}
      blank={BLANK}
      what="root"
      name={(_, index) => `root ${index + 1}`}
      className={styles.root}
    >
      {(root, index, set) => (
        <>
          <TextInput
            label={`Folder of root ${index + 1}`}
            hideLabel
            placeholder="Path or file:// URI"
            {...fieldsOf(root, { problemOf }, set, index).text("folder", "root_folder")}
          />
          <IconButton
            label={`Choose the folder of root ${index + 1}`}
            icon={FolderOpen}
            small
            onClick={() => void choose(index)}
          />
          <TextInput
            label={`Name of root ${index + 1}`}
            hideLabel
            placeholder="Name (optional)"
            {...fieldsOf(root, { problemOf }, set, index).optional("name", "root_name")}
            mono={false}
          />
        </>
      )}
    </EditRows>
  );
}
