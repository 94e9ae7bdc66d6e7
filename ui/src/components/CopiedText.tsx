import { CopyButton } from "./CopyButton";
import { MarkedCode } from "./Marked";

/** A text of the server in the face of code, with a button that copies it. */
export function CopiedText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span className="inlineRow selectable gap2 shrink breakable">
      <MarkedCode text={text} />
      <CopyButton compact label={label} text={text} />
    </span>
  );
}
