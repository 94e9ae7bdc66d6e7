import { CopyButton } from "./CopyButton";
import { Marked } from "./Marked";

/** A text of the server in the face of code, with a button that copies it. */
export function CopiedText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span className="inlineRow selectable gap2 shrink breakable">
      <code>
        <Marked text={text} />
      </code>
      <CopyButton compact label={label} text={text} />
    </span>
  );
}
