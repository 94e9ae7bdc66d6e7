import type { ReactNode } from "react";

interface InlineFormProps {
  readonly label: string;
  readonly className: string | undefined;
  readonly onSubmit: () => void;
  /** Also by Escape. */
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** A small form in place, within something that has keys of its own. */
export function InlineForm({ label, className, onSubmit, onCancel, children }: InlineFormProps): ReactNode {
  return (
    <form
      className={className}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onCancel();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
