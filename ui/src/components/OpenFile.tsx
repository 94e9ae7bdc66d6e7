import { FolderOpen, type LucideIcon } from "lucide-react";
import { useRef } from "react";

import { Button } from "./Button";

export interface OpenFileProps {
  /** Words on the button. */
  text: string;
  /** Accessible name of what is chosen. */
  label: string;
  icon?: LucideIcon;
  small?: boolean;
  onOpen: (file: File) => void;
}

/** Lets a file be chosen. */
export function OpenFile({ text, label, icon = FolderOpen, small = false, onOpen }: OpenFileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button small={small} icon={icon} onClick={() => input.current?.click()}>
        {text}
      </Button>
      <input
        ref={input}
        type="file"
        className="visuallyHidden"
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) onOpen(file);
          // The same file can be opened again.
          event.target.value = "";
        }}
      />
    </>
  );
}
