import { Gauge, RefreshCw } from "lucide-react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Code } from "../../components/Code";
import { Disclosure } from "../../components/Disclosure";
import { Facts } from "../../components/Facts";
import { HeadIcon } from "../../components/HeadIcon";
import { Icons } from "../../components/Icons";
import { MetaText } from "../../components/ItemExtras";
import { Markdown } from "../../components/markdown/Markdown";
import pane from "../../components/pane.module.css";
import { Section } from "../../components/Section";
import { SessionState } from "../../components/SessionState";
import { DocumentViewer } from "../../components/viewer/DocumentViewer";
import { isCut, ShowAll } from "../../components/viewer/ShowAll";
import type { ServerId, ServerIdentity, SessionView } from "../../ipc/bindings";
import { clockTime, duration, number } from "../../lib/format";
import { isWebAddress } from "../../lib/pages";
import { scrollable } from "../../lib/scrollable";
import { endWords } from "../../lib/transportEnd";
import { prettyJson } from "../../schema/print";
import { useActions, useCatalog, useConnection, useHealth, useServer, useSession } from "../../state/hooks";
import { capabilityList } from "./capabilities";

/** Information about a server: its identity, its capabilities, its process and its instructions. */
export function AboutPane({ server }: { server: ServerId }) {
  const view = useServer(server);
  const session = useSession(server);
  const health = useHealth(server);
  const tools = useCatalog(server, "tools");
  const actions = useActions();
  if (!view || !session) return null;
  const ready = session.phase === "ready";
  const { identity } = session;

  return (
    <div className={pane.left} data-scroll="About" {...scrollable("About the server")}>
      <Section
        title="Connection"
        actions={
          <>
            <Button small icon={Gauge} disabled={!ready} onClick={() => void actions.command("ping", { server })}>
              Ping
            </Button>
            <Button
              small
              icon={RefreshCw}
              disabled={!ready || typeof tools?.reading === "number"}
              onClick={() => void actions.command("refresh_catalog", { server, kind: "tools" })}
            >
              Refresh tools
            </Button>
          </>
        }
      >
        <Facts
          items={{
            Status: <SessionState session={session} health={health} />,
            Since: clockTime(session.since),
            Connections: String(session.generation),
            "Last ping": session.ping_micros === null ? "not measured" : duration(session.ping_micros),
            Tools: tools ? number(tools.count) : "not loaded",
          }}
        />
        {session.failure && (
          <Callout level="error" title={session.failure.title}>
            {session.failure.cause}
          </Callout>
        )}
      </Section>
      {identity ? (
        <Identity server={server} identity={identity} ready={ready} />
      ) : (
        <Section title="Server">
          <p className="muted">Connect to see details about the server.</p>
        </Section>
      )}
      <Process session={session} />
      <Section title="Address">
        <Code label="Command or URL" text={ready ? session.address : view.address} />
        {ready && session.address !== view.address && (
          <>
            <p className="muted">Changed since then. The next connection uses:</p>
            <Code label="Changed command or URL" text={view.address} />
          </>
        )}
      </Section>
    </div>
  );
}

function Identity({ server, identity, ready }: { server: ServerId; identity: ServerIdentity; ready: boolean }) {
  const { askToOpen, selectTab } = useActions();
  const era = useConnection(server)?.era ?? null;
  const capabilities = capabilityList(identity.capabilities);
  const url = identity.website_url;
  return (
    <>
      <Section title="Server" actions={<HeadIcon server={server} icons={identity.icons} />}>
        {!ready && <p className="muted">From the last connection.</p>}
        <Facts
          items={{
            Title: identity.title?.trim() ? identity.title : null,
            Name: <ReportedValue text={identity.name} what="name" />,
            Version: <ReportedValue text={identity.version} what="version" />,
            Description: identity.description,
            Website: url !== null && (
              <span className="inlineRow wraps gap8">
                {url}
                {isWebAddress(url) && (
                  <Button small onClick={() => askToOpen(url)}>
                    Open
                  </Button>
                )}
              </span>
            ),
            "Protocol version":
              identity.offered === identity.revision
                ? identity.revision
                : `${identity.revision} (Sonde requested ${identity.offered})`,
            "Protocol mode": (
              <span className="inlineRow wraps gap8">
                {era === null ? "Unknown" : era === "stateless" ? "Stateless" : "Handshake"}
                <Button small onClick={() => selectTab(server, "connection")}>
                  Detection
                </Button>
              </span>
            ),
            [era === "stateless" ? "First response" : "Handshake"]:
              identity.handshake_ms === 0 ? "under 1 ms" : duration(identity.handshake_ms * 1000),
          }}
        />
      </Section>
      {identity.icons.count > 0 && (
        <Section title="Icons">
          <Icons server={server} icons={identity.icons} />
        </Section>
      )}
      <Section title="Capabilities">
        {capabilities.length === 0 ? (
          <p className="muted">
            {isCut(identity.capabilities)
              ? "The capabilities are too large to be listed."
              : "The server declares no capabilities."}
          </p>
        ) : (
          <ul className="noBullets">
            {capabilities.map(({ name, says }) => (
              <li key={name}>
                <code>{name}</code> <span className="muted">{says}</span>
              </li>
            ))}
          </ul>
        )}
        <Disclosure summary="Raw">
          {isCut(identity.capabilities) ? (
            <DocumentViewer label="Capabilities" source={{ type: "capabilities", server }} />
          ) : (
            <Code label="Capabilities" text={prettyJson(identity.capabilities)} />
          )}
        </Disclosure>
      </Section>
      {identity.instructions !== null && identity.instructions.trim() !== "" && (
        <Section title="Instructions">
          <Markdown text={identity.instructions} />
          <ShowAll
            text={identity.instructions}
            label="Instructions"
            source={{ type: "instructions", server }}
            expectJson={false}
          />
        </Section>
      )}
      {identity.meta !== null && (
        <Section title="Metadata">
          <p className="muted">
            <code>_meta</code> of the {era === "stateless" ? "DiscoverResult" : "InitializeResult"}.
          </p>
          <MetaText meta={identity.meta} source={{ type: "server_meta", server }} label="_meta" />
        </Section>
      )}
    </>
  );
}

/** Shows a value that every server has to send, or the fact that it is missing. */
function ReportedValue({ text, what }: { text: string | null; what: string }) {
  if (text === null) return <span className="muted">The server does not state its {what}.</span>;
  return text.trim() === "" ? <span className="muted">(empty {what})</span> : <code>{text}</code>;
}

function Process({ session }: { session: SessionView }) {
  const { process, closed } = session;
  if (!process && !closed) return null;
  return (
    <Section title="Process">
      {process ? (
        <Facts
          items={{
            PID: String(process.pid),
            Executable: <code>{process.program}</code>,
            "Working directory": <code>{process.cwd}</code>,
            Arguments: (
              <ol className="noBullets">
                {process.argv.slice(1).map((word, index) => (
                  // oxlint-disable-next-line react/no-array-index-key
                  <li key={index}>
                    <code>{word}</code>
                  </li>
                ))}
              </ol>
            ),
          }}
        />
      ) : (
        closed && (
          <p>
            {endWords(closed) ?? "Ended"} at {clockTime(closed.at)}.
          </p>
        )
      )}
    </Section>
  );
}
