import { Play } from "lucide-react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Disclosure } from "../../components/Disclosure";
import { Facts } from "../../components/Facts";
import { Panel } from "../../components/Panel";
import { Spinner } from "../../components/Spinner";
import type { CommandPreview, EnvVar, ServerId } from "../../ipc/bindings";
import { useActions, useBackend, useFetched, useServer } from "../../state/hooks";
import styles from "./ConfirmCommand.module.css";

/** Shows the exact command, all of it, before it runs for the first time. */
export function ConfirmCommand({ server }: { server: ServerId }) {
  const view = useServer(server);
  const backend = useBackend();
  const actions = useActions();
  const preview = useFetched(server, view?.address ?? "", () => backend.call("preview_command", { server }));
  const command = preview.value;
  return (
    <Panel
      title="Run this command?"
      lead={`“${view?.config.name ?? ""}” runs a command on your computer with your permissions. Check it once; Sonde asks again only if it changes.`}
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
        <Callout level="error" role="alert" title={preview.error.message}>
          {preview.error.detail !== undefined && <p>{preview.error.detail}</p>}
        </Callout>
      )}
      {preview.state === "loading" && !command && <Spinner label="Looking for the command…" />}
      {command && <Command command={command} />}
    </Panel>
  );
}

function Command({ command }: { command: CommandPreview }) {
  return (
    <>
      {command.program === null && (
        <Callout level="warning" title={`The command “${command.argv[0] ?? ""}” was not found.`}>
          <p>Running it will fail; the report will list the folders that were searched.</p>
        </Callout>
      )}
      {command.warnings.map((warning) => (
        <Callout key={warning} level="warning" title={warning} />
      ))}
      <section aria-label="Command">
        <ol className={styles.argv}>
          {command.argv.map((word, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className={styles.word}>
              <span className="note">{index === 0 ? "command" : `argument ${index}`}</span>
              <code className={styles.code}>{word === "" ? <em>(empty)</em> : word}</code>
            </li>
          ))}
        </ol>
      </section>
      <Facts
        items={[
          ["Executable", <code key="program">{command.program ?? "not found"}</code>],
          ["Working directory", <code key="cwd">{command.cwd}</code>],
          [
            "Environment",
            command.env.length === 0 ? (
              "Only a few safe variables."
            ) : (
              <ul className={styles.env}>
                {command.env.map((variable) => (
                  <li key={variable.name}>
                    <code>{shown(variable)}</code>
                  </li>
                ))}
              </ul>
            ),
          ],
          ["PATH", command.path_source],
        ]}
      />
      <Disclosure summary="PATH entries">
        <ol className={styles.path}>
          {command.path.split(/[:;](?![\\/])|:(?=\/)/).map((folder, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <code>{folder}</code>
            </li>
          ))}
        </ol>
      </Disclosure>
    </>
  );
}

function shown({ name, value }: EnvVar): string {
  return value.kind === "plain" ? `${name}=${value.value}` : `${name}=(secret)`;
}
