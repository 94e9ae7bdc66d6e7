import { Copy } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { useStore } from "zustand";

import { ErrorCallout } from "../../components/Callout";
import { Disclosure } from "../../components/Disclosure";
import { Empty } from "../../components/Empty";
import { Checkbox } from "../../components/Field";
import { FilterBar, ListWithDetails } from "../../components/ListWithDetails";
import { Menu } from "../../components/Menu";
import { PaneButtons } from "../../components/PaneButtons";
import { Spinner } from "../../components/Spinner";
import type { HostFilter, HostView, ServerId, TableText } from "../../ipc/bindings";
import { count, number } from "../../lib/format";
import { useActions, useBackend, useCatalog, useServer, useServerUi, useSession, useSlice } from "../../state/hooks";
import { useFetched, useToolJudgement } from "../../state/queries";
import { HostMatrix } from "./HostMatrix";
import styles from "./hosts.module.css";
import { HostSession } from "./hostSession";
import { HostSide, type HostSideProps } from "./HostSide";
import { hostsSlice } from "./hostsUi";
import { KINDS, shownHosts } from "./hostWords";

/** Compatibility of the server's tools with hosts, and their cost for a model. */
export function HostsPane({ server }: { readonly server: ServerId }): ReactNode {
  const view = useCatalog(server, "tools");
  const resources = useCatalog(server, "resources")?.revision ?? 0;
  const templates = useCatalog(server, "resource_templates")?.revision ?? 0;
  const prompts = useCatalog(server, "prompts")?.revision ?? 0;
  const phase = useSession(server)?.phase ?? "idle";
  const name = useServer(server)?.config.name ?? "";
  const revision = view?.revision ?? 0;
  const hosts = useFetched("", "", (backend) => backend.call("known_hosts", {}));
  const key = JSON.stringify([revision, resources, templates, prompts, name]);
  const summary = useFetched(server, key, (backend) => backend.call("host_summary", { server }));

  const isMaximized = useServerUi(server, (ui) => ui.maximized === "hosts");
  // Content in place of the maximized table needs its own way to restore the panes.
  const restore = isMaximized && <PaneButtons server={server} pane="hosts" label="hosts" />;
  if (revision === 0) {
    return (
      <Empty title="Hosts" actions={restore}>
        {typeof view?.reading === "number" || phase === "connecting" ? (
          <Spinner label="Loading tools…" />
        ) : view !== undefined && !view.supported && phase === "ready" ? (
          <p>The server did not declare the tools capability, so there is nothing to judge.</p>
        ) : view !== undefined && view.error !== null ? (
          <p>The tool list could not be read: {view.error} Nothing was evaluated.</p>
        ) : (
          <p>Connect to see in which hosts the server’s tools work. Nothing was evaluated yet.</p>
        )}
      </Empty>
    );
  }
  const failed = [hosts, summary].find((fetched) => fetched.state === "failed");
  if (failed?.state === "failed") {
    return (
      <div className="padS2">
        <ErrorCallout error={failed.error} />
        {restore}
      </div>
    );
  }
  if (hosts.state !== "done" || summary.state !== "done") {
    return <Empty title="Hosts" waits="Judging the tools…" actions={restore} />;
  }
  if (summary.value.tools === 0) {
    return (
      <Empty title="No tools" actions={restore}>
        {view !== undefined && view.error !== null
          ? `The tool list could not be read: ${view.error} Nothing was evaluated.`
          : "The server’s tool list is empty, so there is nothing to judge."}
      </Empty>
    );
  }
  return <Judged server={server} name={name} revision={revision} hosts={hosts.value} summary={summary.value} />;
}

function Judged(props: HostSideProps): ReactNode {
  const { server, revision, hosts, summary } = props;
  const backend = useBackend();
  const actions = useActions();
  const [{ chosen, problems, search, shown }, setUi] = useSlice(server, hostsSlice);
  const [session] = useState(() => new HostSession(backend, server));
  const table = useStore(session.store);
  const columns = shownHosts(hosts, chosen);
  const filter: HostFilter = { hosts: columns.map((host) => host.id), problems, search };
  const wanted = JSON.stringify(filter);
  const judgement = useToolJudgement(server);
  useEffect(
    () => session.show(revision, judgement, JSON.parse(wanted) as HostFilter),
    [session, revision, judgement, wanted],
  );

  const copy = (format: TableText): void => {
    const rows = count(table.total, "tool", "tools");
    const text = backend.call("host_table", { server, filter, format });
    void actions.copy(text, `${rows} copied as ${format === "csv" ? "CSV" : "Markdown"}`, server);
  };
  return (
    <ListWithDetails
      label="Hosts"
      name="hosts"
      detail="host details"
      // Beside the list of servers and the details, the table would show only one or two hosts.
      beside={{ from: 1100, standard: 340, unit: "px", least: 260, leastRest: 320 }}
      below={{ standard: 45, least: 96, leastRest: 120 }}
      isOpen={shown !== null}
      stays
      head={
        <>
          <FilterBar
            of="tools"
            className={styles.tools}
            value={search}
            onChange={(text) => setUi({ search: text })}
            hits={search === "" && !problems ? undefined : `${number(table.total)} of ${number(summary.tools)}`}
          >
            <Checkbox checked={problems} onChange={(on) => setUi({ problems: on })} label="Only problems" />
            <Menu
              small
              icon={Copy}
              label="Copy table"
              items={[
                { label: "Copy as Markdown", onSelect: () => copy("markdown") },
                { label: "Copy as CSV", onSelect: () => copy("csv") },
              ]}
            />
            <PaneButtons server={server} pane="hosts" label="hosts" />
          </FilterBar>
          <div className={styles.choice}>
            <Disclosure summary={`${count(columns.length, "host", "hosts")} shown`}>
              <Choice server={server} hosts={hosts} shown={columns} />
            </Disclosure>
          </div>
          {table.error && (
            <div className="padS2">
              <ErrorCallout error={table.error} role="status" />
            </div>
          )}
        </>
      }
      list={<HostMatrix server={server} session={session} table={table} hosts={hosts} summary={summary} />}
      listClass="stack lineAbove"
      details={<HostSide {...props} />}
    />
  );
}

interface ChoiceProps {
  readonly server: ServerId;
  readonly hosts: readonly HostView[];
  readonly shown: readonly HostView[];
}

/** Choice of the hosts with a column. */
function Choice({ server, hosts, shown }: ChoiceProps): ReactNode {
  const [, setUi] = useSlice(server, hostsSlice);
  const ids = shown.map((host) => host.id);
  const set = (id: string, on: boolean): void => {
    const chosen = hosts.map((host) => host.id).filter((one) => (one === id ? on : ids.includes(one)));
    setUi({ chosen });
  };
  return (
    <div className={styles.kinds}>
      {KINDS.map(([kind, title]) => (
        <fieldset key={kind} className={styles.kind}>
          <legend className="note">{title}</legend>
          {hosts
            .filter((host) => host.kind === kind)
            .map((host) => (
              <Checkbox
                key={host.id}
                checked={ids.includes(host.id)}
                onChange={(on) => set(host.id, on)}
                label={
                  <>
                    {host.name}
                    {!host.known && <span className="note"> (requirements not known)</span>}
                  </>
                }
              />
            ))}
        </fieldset>
      ))}
    </div>
  );
}
