import { useEffect, useEffectEvent, useState, type ReactNode } from "react";

import { TextInput } from "../../components/Field";
import { readNumber } from "./serverDraft";

export interface NumberInputProps {
  label: string;
  hint: ReactNode;
  value: number | null;
  least?: number;
  most?: number | undefined;
  /** Problem of a valid number. */
  error?: string | undefined;
  onChange: (value: number | null) => void;
  /** Text typed earlier, for a field that can be hidden; `onTyped` reports it. */
  typed?: string | undefined;
  onTyped?: (text: string) => void;
  /** Called with true while the text is not a number in range; `value` is then the last valid number. */
  onBroken: (broken: boolean) => void;
}

/** Input of an optional whole number. Typed text stays even if it is not a number. */
export function NumberInput({
  label,
  hint,
  value,
  least = 1,
  most = 9_999_999,
  error,
  onChange,
  typed: before,
  onTyped,
  onBroken,
}: NumberInputProps) {
  const [text, setText] = useState(before ?? (value === null ? "" : String(value)));
  const read = readNumber(text, least, most);
  const broken = "problem" in read;
  const report = useEffectEvent(onBroken);
  useEffect(() => {
    if (!broken) return;
    report(true);
    // A hidden field does not block saving.
    return () => report(false);
  }, [broken]);
  return (
    <TextInput
      label={label}
      hint={hint}
      inputMode="numeric"
      value={text}
      error={"problem" in read ? read.problem : error}
      onChange={(typed) => {
        setText(typed);
        onTyped?.(typed);
        const next = readNumber(typed, least, most);
        if (!("problem" in next)) onChange(next.value);
      }}
    />
  );
}
