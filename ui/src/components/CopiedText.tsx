import { CopyButton } from "./CopyButton";
import { MarkedCode } from "./Marked";

/** Shows a server's text in a monospaced font, with a copy button. */
export function CopiedText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span className="inlineRow selectable gap2 shrink breakable">
      <MarkedCode text={text} />
      <CopyButton compact label={label} text={text} />
    </span>
  );
}
