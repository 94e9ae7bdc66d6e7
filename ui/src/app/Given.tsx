import { GivePresentation } from "../features/presentation/give/GivePresentation";
import { ConfirmProgram } from "../features/servers/ConfirmCommand";
import { givingKeys } from "./givingRows";

/** The running presentation, in the whole window. */
export function Given() {
  return <GivePresentation confirm={(asked) => <ConfirmProgram server={asked} />} keys={givingKeys} />;
}
