import { Callout } from "../../components/Callout";

/** Remarkable points of a sign-in, before anything is sent. */
export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  return warnings.map((warning) => (
    <Callout key={warning} level="warning">
      {warning}
    </Callout>
  ));
}
