import { Play, TriangleAlert } from "lucide-react";
import { useId, type ReactNode, useState } from "react";

import { Button } from "../../components/Button";
import { Callout, ErrorCallout } from "../../components/Callout";
import { Disclosure } from "../../components/Disclosure";
import { Facts } from "../../components/Facts";
import { Panel } from "../../components/Panel";
import { Spinner } from "../../components/Spinner";
import { VisibleText } from "../../components/VisibleText";
import type { CommandPreview, ServerId, CommandVariable } from "../../ipc/bindings";
import { count } from "../../lib/format";
import { useActions, useAppState, useServer } from "../../state/hooks";
import { useFetched } from "../../state/queries";
import styles from "./ConfirmCommand.module.css";
import { SplitCommand } from "./SplitCommand";

/** Loads the command that would run for a server; `command` is undefined until then, and if it cannot be shown. */
function useCommand(server: ServerId) {
  const view = useServer(server);
  const preview = useFetched(server, view?.address ?? "", (backend) => backend.call("preview_command", { server }));
  return { name: view?.config.name ?? "", preview, command: preview.value };
}

/** Shows the whole, exact command before it runs for the first time. */
export function ConfirmCommand({ server }: { server: ServerId }) {
  const actions = useActions();
  const more = useAppState(({ view }) => view.commandQueue.length);
  const { name, preview, command } = useCommand(server);
  return (
    <Panel
      title="Run this command?"
      lead={
        <>
          “<VisibleText text={name} />” runs a command on your computer with your permissions. Check it once; Sonde asks
          again only if it changes.{more > 0 && ` ${count(more, "other command follows", "other commands follow")}.`}
        </>
      }
      footer={
        <>
          <Button
            kind={command?.program === null ? "plain" : "primary"}
            icon={Play}
            disabled={!command}
            onClick={() => command && void actions.connectConfirmed(server, command.fingerprint)}
          >
            Run this command
          </Button>
          {more > 0 && <Button onClick={() => actions.skipCommand()}>Skip</Button>}
          <Button onClick={() => actions.openPanel({ type: "edit_server", server })}>Edit</Button>
          <Button kind="quiet" onClick={() => actions.closePanel()}>
            Cancel
          </Button>
        </>
      }
    >
      {preview.state === "failed" && <ErrorCallout role="alert" error={preview.error} />}
      {preview.state === "loading" && <Spinner label="Looking for the command…" />}
      {command && (
        <>
          <CommandWords command={command} server={server} named />
          <CommandFacts server={server} command={command} />
        </>
      )}
    </Panel>
  );
}

interface CommandProps {
  readonly server: ServerId;
  readonly command: CommandPreview;
}

/** Limit of command words and values that can be checked at a glance. */
const SHORT_COMMAND = 6;

/**
 * The same question before a presentation, for people who do not program. All of it can be scrolled, and the button
 * beside it stays visible.
 */
export function ConfirmProgram({ server }: { server: ServerId }) {
  const actions = useActions();
  const title = useId();
  const { name, preview, command } = useCommand(server);
  const { argv = [], env = [], secret_arguments = [] } = command ?? {};
  // Collapsed only if it is long, and no value changes the program.
  const unfolded =
    argv.length + env.length + secret_arguments.length <= SHORT_COMMAND || env.some(({ effect }) => effect !== null);
  return (
    <section className="grow gapS3 flexed" aria-labelledby={title}>
      <div className={styles.consentWords} tabIndex={0} data-focus="inset">
        <h2 id={title} className="strong">
          Start the program for “<VisibleText text={name} />” on this computer?
        </h2>
        <p>It runs with your permissions. Check it once; Sonde asks again only if it changes.</p>
        {preview.state === "failed" && <p role="alert">It cannot be started: leave the presentation to see why.</p>}
        {command && (
          <div className={styles.program}>
            <CommandWords command={command} />
            {/* The folder and the environment change the effect of the command, like its words. */}
            <Disclosure summary="Details" open={unfolded}>
              <div className={styles.program}>
                <CommandFacts server={server} command={command} plain />
              </div>
            </Disclosure>
          </div>
        )}
      </div>
      <div className={styles.consentButton}>
        <Button
          kind="primary"
          large
          icon={Play}
          disabled={!command}
          onClick={() => command && void actions.connectConfirmed(server, command.fingerprint)}
        >
          Start this program
        </Button>
      </div>
    </section>
  );
}

/**
 * All words of the command, with warnings about doubtful ones. `named` adds the position of each word. With `server`, a
 * whole command line entered as the command can be split.
 */
function CommandWords(props: Pick<CommandProps, "command"> & { readonly server?: ServerId; readonly named?: boolean }) {
  const { command, server, named = false } = props;
  const actions = useActions();
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
          {server !== undefined && (
            <SplitCommand
              command={command.argv[0] ?? ""}
              onSplit={(words) => void actions.splitCommandOf(server, words)}
            />
          )}
        </Callout>
      )}
      {command.warnings.map((warning) => (
        <Callout key={warning} level="warning" title={warning} />
      ))}
      <section aria-label="Command">
        <ol className="codeBox noBullets">
          {command.argv.map((word, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className={styles.word}>
              {named && <span className="note">{index === 0 ? "command" : `argument ${index}`}</span>}
              {word === "" ? <em>(empty)</em> : <VisibleText code text={word} />}
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

/** Facts beside the words that change the effect of the command. `plain`: for people who do not program. */
function CommandFacts({ server, command, plain = false }: CommandProps & { readonly plain?: boolean }) {
  return (
    <>
      <Facts
        items={{
          Executable: command.program === null ? "not found" : <VisibleText code text={command.program} />,
          "Working directory": <VisibleText code text={command.cwd} />,
          Environment: <Environment server={server} command={command} />,
          [plain ? "Secret values" : "Secret arguments"]: command.secret_arguments.length > 0 && (
            <Variables
              server={server}
              of={command.secret_arguments.map((name) => ({ name, value: null, effect: null }))}
              revealable={command.revealable}
            />
          ),
          PATH: command.path_source,
        }}
      />
      <Disclosure summary="PATH entries">
        <ol className="noBullets">
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

interface VariablesProps {
  readonly server: ServerId;
  readonly of: readonly CommandVariable[];
  readonly revealable: boolean;
}

function Variables({ server, of, revealable }: VariablesProps): ReactNode {
  return (
    <ul className="noBullets">
      {of.map((variable) => (
        <VariableRow key={variable.name} server={server} variable={variable} revealable={revealable} />
      ))}
    </ul>
  );
}

function Environment({ server, command }: CommandProps): ReactNode {
  const { env, inherited, revealable } = command;
  return (
    <>
      {env.length > 0 && <Variables server={server} of={env} revealable={revealable} />}
      <Disclosure
        summary={`${env.length === 0 ? "Only" : "And"} ${count(inherited.length, "inherited variable", "inherited variables")}`}
      >
        <code data-quoted>{inherited.join(" ")}</code>
      </Disclosure>
    </>
  );
}

interface VariableRowProps extends Pick<VariablesProps, "server" | "revealable"> {
  readonly variable: CommandVariable;
}

/** A variable for the command. A secret shows its value on request. */
function VariableRow({ server, variable: { name, value, effect }, revealable }: VariableRowProps) {
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
