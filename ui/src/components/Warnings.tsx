import { Callout } from "./Callout";

/** Shows a callout for each warning. */
export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  return warnings.map((warning) => (
    <Callout key={warning} level="warning">
      {warning}
    </Callout>
  ));
}
