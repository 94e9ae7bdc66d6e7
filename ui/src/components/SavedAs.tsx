import { VisibleText } from "./VisibleText";

/** Reports the path of a saved file. */
export function SavedAs({ path }: { readonly path: string }) {
  return (
    <p className="note" role="status">
      Saved as <VisibleText code text={path} />
    </p>
  );
}
