import { FolderOpen, type LucideIcon } from "lucide-react";
import { useRef } from "react";

import { Button } from "./Button";

export interface OpenFileProps {
  /** Text on the button. */
  text: string;
  /** Accessible name of the file input. */
  label: string;
  icon?: LucideIcon;
  small?: boolean;
  onOpen: (file: File) => void;
}

/** Button to choose a file. */
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
          // Without this, choosing the same file again would not be noticed.
          event.target.value = "";
        }}
      />
    </>
  );
}
