import type { ReactNode } from "react";

interface InlineFormProps {
  readonly label: string;
  readonly className: string | undefined;
  readonly onSubmit: () => void;
  /** Esc does the same. */
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** A small form in place, inside an element with its own key handling. */
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
