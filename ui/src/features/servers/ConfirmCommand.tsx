import { Play } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Disclosure } from "../../components/Disclosure";
import { Facts } from "../../components/Facts";
import { Panel } from "../../components/Panel";
import { Prose } from "../../components/Prose";
import { Spinner } from "../../components/Spinner";
import { VisibleText } from "../../components/VisibleText";
import type { CommandPreview, ServerId } from "../../ipc/bindings";
import { useActions, useBackend, useFetched, useServer } from "../../state/hooks";
import styles from "./ConfirmCommand.module.css";
import { VariableRow } from "./VariableRow";

/** Shows the exact command, all of it, before it runs for the first time. */
export function ConfirmCommand({ server }: { server: ServerId }) {
  const view = useServer(server);
  const backend = useBackend();
  const actions = useActions();
  const preview = useFetched(server, view?.address ?? "", () => backend.call("preview_command", { server }));
  const command = preview.state === "failed" ? undefined : preview.value;
  return (
    <Panel
      title="Run this command?"
      lead={
        <>
          “<VisibleText text={view?.config.name ?? ""} />” runs a command on your computer with your permissions. Check
          it once; Sonde asks again only if it changes.
        </>
      }
      onClose={() => actions.closePanel()}
      footer={
        <>
          <Button
            kind="primary"
            icon={Play}
            disabled={!command}
            onClick={() => command && void actions.connectConfirmed(server, command.fingerprint)}
          >
            Run this command
          </Button>
          <Button onClick={() => actions.openPanel({ type: "edit_server", server })}>Edit</Button>
          <Button kind="quiet" onClick={() => actions.closePanel()}>
            Cancel
          </Button>
        </>
      }
    >
      {preview.state === "failed" && (
        <Callout level="error" role="alert" title={<Prose text={preview.error.message} />}>
          {preview.error.detail !== undefined && <p>{preview.error.detail}</p>}
        </Callout>
      )}
      {preview.state === "loading" && !command && <Spinner label="Looking for the command…" />}
      {command && <Command server={server} command={command} />}
    </Panel>
  );
}

function Command({ server, command }: { server: ServerId; command: CommandPreview }) {
  return (
    <>
      {command.program === null && (
        <Callout
          level="warning"
          title={
            <>
              The command “<VisibleText text={command.argv[0] ?? ""} />” was not found.
            </>
          }
        >
          <p>Running it will fail; the report will list the folders that were searched.</p>
        </Callout>
      )}
      {command.warnings.map((warning) => (
        <Callout key={warning} level="warning" title={<Prose text={warning} />} />
      ))}
      <section aria-label="Command">
        <ol className={styles.argv}>
          {command.argv.map((word, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className={styles.word}>
              <span className="note">{index === 0 ? "command" : `argument ${index}`}</span>
              {word === "" ? <em>(empty)</em> : <VisibleText code text={word} />}
            </li>
          ))}
        </ol>
      </section>
      <Facts
        items={[
          ["Executable", command.program === null ? "not found" : <VisibleText code text={command.program} />],
          ["Working directory", <VisibleText key="cwd" code text={command.cwd} />],
          ["Environment", <Environment key="env" server={server} command={command} />],
          ...(command.secret_arguments.length === 0
            ? []
            : ([["Secret arguments", <SecretArguments key="args" server={server} command={command} />]] as const)),
          ["PATH", command.path_source],
        ]}
      />
      <Disclosure summary="PATH entries">
        <ol className={styles.path}>
          {command.path.split(/[:;](?![\\/])|:(?=\/)/).map((folder, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <VisibleText code text={folder} />
            </li>
          ))}
        </ol>
      </Disclosure>
    </>
  );
}

/** What is filled in where the arguments say so. */
function SecretArguments({ server, command }: { server: ServerId; command: CommandPreview }): ReactNode {
  return (
    <ul className={styles.env}>
      {command.secret_arguments.map((name) => (
        <VariableRow
          key={name}
          server={server}
          variable={{ name, value: null, effect: null }}
          revealable={command.revealable}
        />
      ))}
    </ul>
  );
}

function Environment({ server, command }: { server: ServerId; command: CommandPreview }): ReactNode {
  if (command.env.length === 0) return "Only a few safe variables.";
  return (
    <ul className={styles.env}>
      {command.env.map((variable) => (
        <VariableRow key={variable.name} server={server} variable={variable} revealable={command.revealable} />
      ))}
    </ul>
  );
}
