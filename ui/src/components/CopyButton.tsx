import { Check, Copy, X } from "lucide-react";
import { useEffect, useState } from "react";

import { copyText } from "../lib/clipboard";
import { Button, IconButton } from "./Button";

export interface CopyButtonProps {
  text: string | (() => string | Promise<string>);
  label: string;
  /** Icon only. */
  compact?: boolean;
}

export function CopyButton({ text, label, compact = false }: CopyButtonProps) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 1600);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async (): Promise<void> => {
    try {
      // The clipboard must be requested within the click.
      const done = await copyText(typeof text === "string" ? text : Promise.resolve(text()));
      setState(done ? "copied" : "refused");
    } catch {
      setState("refused");
    }
  };

  const icon = state === "copied" ? Check : state === "refused" ? X : Copy;
  const words = state === "copied" ? "Copied" : state === "refused" ? "Could not copy" : label;
  return (
    <>
      {compact ? (
        <IconButton label={words} icon={icon} small onClick={() => void copy()} />
      ) : (
        <Button small icon={icon} onClick={() => void copy()}>
          {words}
        </Button>
      )}
      <span className="visuallyHidden" role="status">
        {state === "idle" ? "" : words}
      </span>
    </>
  );
}
