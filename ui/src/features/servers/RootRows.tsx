import { Plus, X } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { IconButton } from "../../components/IconButton";
import { TextInput } from "../../components/TextInput";
import type { RootFolder } from "../../ipc/bindings";
import { rootProblem } from "./serverDraft";
import styles from "./ServerForm.module.css";
import { useFocusAdded } from "./ValueRows";

interface RootRowsProps {
  readonly roots: readonly RootFolder[];
  readonly onChange: (roots: RootFolder[]) => void;
}

/** The folders that a server may work in: a path or URI, and what people call it. */
export function RootRows({ roots, onChange }: RootRowsProps): ReactNode {
  const { list, markAdded } = useFocusAdded(roots.length);
  return (
    <div className={styles.rows} ref={list}>
      {roots.map((root, index) => (
        // The place is the identity: folders may be equal while they are typed.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={styles.root} data-row>
          <TextInput
            label={`Folder of root ${index + 1}`}
            hideLabel
            mono
            placeholder="Path or file:// URI"
            value={root.folder}
            error={rootProblem(root.folder)}
            onChange={(folder) => onChange(roots.with(index, { ...root, folder }))}
          />
          <TextInput
            label={`Name of root ${index + 1}`}
            hideLabel
            placeholder="Name (optional)"
            value={root.name ?? ""}
            onChange={(name) => onChange(roots.with(index, { ...root, name: name === "" ? null : name }))}
          />
          <IconButton
            label={`Remove root ${index + 1}`}
            icon={X}
            small
            onClick={() => onChange(roots.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div>
        <Button
          small
          icon={Plus}
          onClick={() => {
            markAdded();
            onChange([...roots, { folder: "", name: null }]);
          }}
        >
          Add root
        </Button>
      </div>
    </div>
  );
}
