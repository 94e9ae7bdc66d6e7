import { useEffect, useRef, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { TextInput } from "../../components/Field";
import { useActions } from "../../state/hooks";

export interface PathInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (path: string) => void;
  /** Kind of path that the system dialog offers. */
  readonly choose: "file" | "folder";
  readonly placeholder?: string;
  readonly hint?: string;
  readonly error?: string | undefined;
}

/** Input of a path, by typing or in a system dialog. */
export function PathInput({ choose: what, ...field }: PathInputProps): ReactNode {
  const { label, onChange } = field;
  const actions = useActions();
  const choosing = useRef(false);
  // Text typed elsewhere while the dialog is open stays. After unmounting nothing is changed.
  const latest = useRef<typeof onChange | null>(onChange);
  useEffect(() => {
    latest.current = onChange;
    return () => {
      latest.current = null;
    };
  }, [onChange]);
  const choose = async (): Promise<void> => {
    if (choosing.current) return;
    choosing.current = true;
    const path = await actions.command(what === "folder" ? "choose_folder" : "choose_file", {});
    choosing.current = false;
    if (path) latest.current?.(path);
  };
  return (
    <TextInput
      mono
      {...field}
      after={
        <Button aria-label={`Choose… (${label})`} onClick={() => void choose()}>
          Choose…
        </Button>
      }
    />
  );
}
