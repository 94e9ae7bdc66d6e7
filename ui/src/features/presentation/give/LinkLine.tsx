import type { ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Callout } from "../../../components/Callout";
import { Spinner } from "../../../components/Spinner";
import type { PresentationStep } from "../../../ipc/bindings";
import { once } from "../../../lib/once";
import { visibleText } from "../../../lib/visible";
import { useActions, useServer } from "../../../state/hooks";
import { linkWords, type Link } from "./link";

export interface LinkLineProps {
  readonly link: Link;
  readonly step: PresentationStep;
  /** It is the last one. */
  readonly last: boolean;
  /** The question whether a program may be started. */
  readonly confirm: (server: string) => ReactNode;
}

/** How the connection stands, where that is worth a word: one sentence and one button. */
export function LinkLine({ link, step, last, confirm }: LinkLineProps): ReactNode {
  const actions = useActions();
  const server = useServer(step.server);
  if (link === "ready") return null;
  if (link === "confirm") return confirm(step.server);
  const words = linkWords(link, `“${visibleText(server?.config.name ?? step.server_name)}”`, last);
  if (link === "connecting") return <Spinner label={words.title} />;
  const act = (): void => {
    if (link === "unwell") return void actions.reconnect(step.server);
    if (link === "failed" || link === "off") return void actions.connectStep(step.server);
    actions.leavePresentation();
    if (link === "sign_in") actions.showSignIn(step.server);
    else void actions.connect(step.server);
  };
  return (
    <Callout
      level={link === "off" ? "info" : "warning"}
      role="status"
      title={words.title}
      actions={
        words.button !== null && (
          <Button kind="primary" large data-next onClick={once(act)}>
            {words.button}
          </Button>
        )
      }
    >
      {words.advice !== null && <p>{words.advice}</p>}
    </Callout>
  );
}
