import type { ReactNode } from "react";

import { TextInput } from "../../components/TextInput";
import type { RootFolder } from "../../ipc/bindings";
import { EditRows } from "./EditRows";
import { rootProblem } from "./serverDraft";
import styles from "./ServerForm.module.css";

interface RootRowsProps {
  readonly roots: readonly RootFolder[];
  readonly onChange: (roots: RootFolder[]) => void;
}

const BLANK: RootFolder = { folder: "", name: null };

/** The folders that a server may work in: a path or URI, and what people call it. */
export function RootRows({ roots, onChange }: RootRowsProps): ReactNode {
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
            mono
            placeholder="Path or file:// URI"
            value={root.folder}
            error={rootProblem(root.folder)}
            onChange={(folder) => set({ ...root, folder })}
          />
          <TextInput
            label={`Name of root ${index + 1}`}
            hideLabel
            placeholder="Name (optional)"
            value={root.name ?? ""}
            onChange={(name) => set({ ...root, name: name === "" ? null : name })}
          />
        </>
      )}
    </EditRows>
  );
}
