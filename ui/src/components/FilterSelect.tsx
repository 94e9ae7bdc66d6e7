import { cx } from "../lib/cx";

interface FilterSelectProps {
  readonly label: string;
  readonly tip?: string;
  /** Chosen value; empty for no choice. */
  readonly value: string;
  /** Text for no choice. */
  readonly none: string;
  readonly items: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
  readonly className?: string | undefined;
}

/** Selects one of several values, or none, in a bar of filters. */
export function FilterSelect({ label, tip, value, none, items, onChange, className }: FilterSelectProps) {
  return (
    <select
      className={cx("controlHeight pad0xS1 strongBox rounded onPage", className)}
      aria-label={label}
      data-tip={tip}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{none}</option>
      {items.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}
