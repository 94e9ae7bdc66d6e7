import { TriangleAlert } from "lucide-react";
import { useState } from "react";

import { Button } from "../../components/Button";
import { VisibleText } from "../../components/VisibleText";
import type { CommandVariable, ServerId } from "../../ipc/bindings";
import { useActions } from "../../state/hooks";
import styles from "./ConfirmCommand.module.css";

interface VariableRowProps {
  server: ServerId;
  variable: CommandVariable;
  revealable: boolean;
}

/** A variable that a command gets. A secret shows its value on request. */
export function VariableRow({ server, variable: { name, value, effect }, revealable }: VariableRowProps) {
  const actions = useActions();
  const [revealed, setRevealed] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const shown = value ?? revealed;
  const reveal = async (): Promise<void> => {
    setBusy(true);
    setRevealed((await actions.command("reveal_variable", { server, name })) ?? null);
    setBusy(false);
  };
  return (
    <li className={styles.variable}>
      {effect !== null && <TriangleAlert size={14} className="rigid warn" role="img" aria-label="Warning" />}
      <VisibleText code oneLine text={`${name}=${shown ?? "(secret)"}`} />
      {value === null && revealable && (
        <Button small disabled={busy} onClick={() => (revealed === null ? void reveal() : setRevealed(null))}>
          {revealed === null ? "Show" : "Hide"}
          <span className="visuallyHidden">
            {" "}
            the value of <span data-quoted>{name}</span>
          </span>
        </Button>
      )}
      {effect !== null && <span className={styles.effect}>{effect}</span>}
    </li>
  );
}
