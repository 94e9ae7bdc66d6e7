import { Callout } from "../../components/Callout";
import { Prose } from "../../components/Prose";

/** Remarkable points of a sign-in, before anything is sent. */
export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  return warnings.map((warning) => (
    <Callout key={warning} level="warning">
      <p>
        <Prose text={warning} />
      </p>
    </Callout>
  ));
}
