import { CircleCheck, ExternalLink, RotateCw } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Marked } from "../../components/Marked";
import { PageAddress } from "../../components/PageAddress";
import type { OperationView } from "../../ipc/bindings";
import { once } from "../../lib/once";
import { isWebAddress } from "../../lib/pages";
import { useApp, useIsReady } from "../../state/hooks";
import { notAgain, runAgain } from "./runCommands";
import styles from "./runs.module.css";

/** Pages that the user has to open before a run can work (error -32042), with a button to run it again. */
export function RequiredPages({ operation }: { readonly operation: OperationView }): ReactNode {
  const app = useApp();
  const ready = useIsReady(operation.server);
  const pages = operation.pages.filter((page) => page.required);
  if (pages.length === 0) return null;
  const never = notAgain(operation);
  return (
    <Callout
      level="warning"
      title={
        pages.length === 1 ? "The server wants you to open a page first." : "The server wants you to open pages first."
      }
      actions={
        <Button
          small
          icon={RotateCw}
          disabled={!ready || never !== null}
          title={!ready ? "Connect first" : (never ?? "Run with the same arguments")}
          onClick={() => void runAgain(app, operation)}
        >
          Run again
        </Button>
      }
    >
      <ul className="stack gap12 marginTop4">
        {pages.map((page, at) => (
          <li key={at} className={styles.page}>
            {page.message !== "" && (
              <p className="scrolls asWritten maxHeight160">
                <Marked text={page.message} lines />
              </p>
            )}
            <PageAddress address={page.url} />
            {page.completed && (
              <p>
                <CircleCheck size={13} aria-hidden className="ok lowered" /> The server says that you have finished
                there.
              </p>
            )}
            <Button
              small
              kind={page.completed ? "plain" : "primary"}
              icon={ExternalLink}
              disabled={!isWebAddress(page.url)}
              onClick={once(() => app.actions.openPage(page.url))}
            >
              Open in the browser
            </Button>
          </li>
        ))}
      </ul>
    </Callout>
  );
}
