import { ClipboardPaste, Plus, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { modifier } from "../../lib/shortcuts";
import { useActions } from "../../state/hooks";
import styles from "./NoServers.module.css";

/** Ways to add the user's own servers. `children` are further ways, which come first. */
export function FirstSteps({ children }: { children?: ReactNode }) {
  const actions = useActions();
  return (
    <div className={styles.ways}>
      <ul className={styles.steps} aria-label="Ways to add servers">
        {children}
        <FirstStep
          icon={ClipboardPaste}
          title="Import from other clients"
          text="From Claude, VS Code, Cursor and other clients on this computer, or from a file. Their files are read when you open this, and never changed."
          onClick={() => actions.openPanel({ type: "import", text: "" })}
        />
        <FirstStep
          icon={Plus}
          title="Add your own server"
          text={`By its command or URL. Or press ${modifier}+V anywhere: a URL, a command line, claude mcp add … or a configuration is recognized and shown first.`}
          onClick={() => actions.openPanel({ type: "add_server" })}
        />
      </ul>
    </div>
  );
}

interface FirstStepProps {
  icon: LucideIcon;
  title: string;
  text: string;
  primary?: boolean;
  onClick: () => void;
}

export function FirstStep({ icon, title, text, primary = false, onClick }: FirstStepProps) {
  return (
    <li className={styles.step}>
      <Button kind={primary ? "primary" : "plain"} icon={icon} onClick={onClick}>
        {title}
      </Button>
      <p>{text}</p>
    </li>
  );
}
