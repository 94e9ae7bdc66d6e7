import { VisibleText } from "./VisibleText";

/** Tells where a file was saved. */
export function SavedAs({ path }: { readonly path: string }) {
  return (
    <p className="note" role="status">
      Saved as <VisibleText code text={path} />
    </p>
  );
}
