import { useEffect, useEffectEvent, useState, type ReactNode } from "react";

import { TextInput } from "../../components/TextInput";
import { readNumber } from "./serverDraft";

export interface NumberInputProps {
  label: string;
  hint: ReactNode;
  value: number | null;
  least?: number;
  most?: number;
  /** What is wrong with a number that is one. */
  error?: string | undefined;
  onChange: (value: number | null) => void;
  /** What was typed before, where the field comes and goes; `onTyped` says what that is. */
  typed?: string | undefined;
  onTyped?: (text: string) => void;
  /** Whether something stands in the field that is no such number; the value is then the last good one. */
  onBroken: (broken: boolean) => void;
}

/** A whole number or nothing. What is typed stays as it is typed, also where it is no number. */
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
    // A field that is folded away stands in nobody's way.
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
