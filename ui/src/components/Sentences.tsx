import { Prose } from "./Prose";

interface SentencesProps {
  readonly of: readonly string[];
  /** Names the list. */
  readonly label?: string;
}

/** Lists sentences of Sonde's own, such as advice. */
export function Sentences({ of, label }: SentencesProps) {
  if (of.length === 0) return null;
  return (
    <ul className="padLeft20" aria-label={label}>
      {of.map((sentence) => (
        <li key={sentence}>
          <Prose text={sentence} />
        </li>
      ))}
    </ul>
  );
}
