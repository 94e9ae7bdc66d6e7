import { ArrowLeft, ExternalLink } from "lucide-react";
import type { ReactNode } from "react";

import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { ErrorCallout } from "../../components/Callout";
import { Facts } from "../../components/Facts";
import { FindingList } from "../../components/Findings";
import { kindWords } from "../../components/kindWords";
import { useCloseDetails } from "../../components/ListWithDetails";
import { Prose, Sentence } from "../../components/Prose";
import { Section } from "../../components/Section";
import { Spinner } from "../../components/Spinner";
import { VisibleText } from "../../components/VisibleText";
import type { HostReason, HostSource, HostSummary, HostTotals, HostView, ServerId } from "../../ipc/bindings";
import { bytes, count, number } from "../../lib/format";
import { useIsSmall } from "../../lib/useMedia";
import { catalogActions } from "../../state/actions/catalogs";
import { useActions, useSlice } from "../../state/hooks";
import { useFetched, useToolLint } from "../../state/queries";
import { VerdictWord } from "./HostMatrix";
import styles from "./hosts.module.css";
import { hostsSlice } from "./hostsUi";
import { EVIDENCE_WORDS } from "./hostWords";

export interface HostSideProps {
  readonly server: ServerId;
  readonly hosts: readonly HostView[];
  readonly summary: HostSummary;
  readonly revision: number;
  readonly name: string;
}

/** Details of the current cell: reasons, sources and advice. Without a current cell, the cost of the lists. */
export function HostSide(props: HostSideProps): ReactNode {
  const { server, hosts, summary } = props;
  const small = useIsSmall();
  const [{ shown }, setUi] = useSlice(server, hostsSlice);
  const close = useCloseDetails(() => setUi({ shown: null }));
  const host = hosts.find((one) => one.id === shown?.host);
  const totals = summary.totals.find((one) => one.host === host?.id);
  return (
    <div className="stack gapS2 tall breakable lineAbove padS2xS3 scrollsY" role="region" aria-label="Host details">
      {small && shown !== null && (
        <Button small kind="quiet" icon={ArrowLeft} onClick={close}>
          Back to the table
        </Button>
      )}
      {shown !== null && shown.tool !== null && <ToolHead {...props} tool={shown.tool} host={host} totals={totals} />}
      {host && <HostFacts host={host} totals={totals} whole={shown?.tool === null} tools={summary.tools} />}
      {!host && <Costs server={server} summary={summary} />}
    </div>
  );
}

interface ToolHeadProps extends HostSideProps {
  readonly tool: string;
  readonly host: HostView | undefined;
  readonly totals: HostTotals | undefined;
}

/** A tool, with its verdict in the current host, if there is one. */
function ToolHead({ server, tool, host, totals, revision, name }: ToolHeadProps): ReactNode {
  const actions = useActions().get(catalogActions);
  return (
    <>
      <div className="wrap gapS1xS2">
        <h2 className="shrink normal">
          <VisibleText text={tool} code oneLine />
        </h2>
        <Button small kind="quiet" onClick={() => actions.openTool(server, tool)}>
          Show the tool
        </Button>
      </div>
      {totals !== undefined && totals.takes_all !== null && <TakesAll tool={totals.takes_all} />}
      {totals && <Reasons reasons={totals.reasons.filter((reason) => reason.verdict === "fails")} />}
      {host && (
        <Cell
          server={server}
          tool={tool}
          host={host}
          refusesAll={totals?.refuses_all === true}
          revision={revision}
          name={name}
        />
      )}
      <ToolFindings server={server} tool={tool} host={host} />
    </>
  );
}

/** Further findings about a tool; those about hosts only without a current host. */
function ToolFindings({ server, tool, host }: Pick<ToolHeadProps, "server" | "tool" | "host">): ReactNode {
  const found = useToolLint(server, tool);
  const all = found.state === "done" ? found.value : [];
  const shown = host ? all.filter((finding) => finding.group !== "hosts") : all;
  if (shown.length === 0) return null;
  return (
    <Section title="Findings">
      <FindingList findings={shown} at={{ server, subject: `item tools ${tool}` }} />
    </Section>
  );
}

interface CellProps extends Pick<ToolHeadProps, "server" | "tool" | "revision" | "name"> {
  readonly host: HostView;
  readonly refusesAll: boolean;
}

function Cell({ server, tool, host, refusesAll, revision, name }: CellProps): ReactNode {
  const cell = useFetched(`${server} ${tool} ${host.id}`, `${revision} ${name}`, (backend) =>
    backend.call("host_cell", { server, key: tool, host: host.id }),
  );
  if (cell.state === "loading") return <Spinner label="Judging…" />;
  if (cell.state === "failed") return <ErrorCallout error={cell.error} />;
  const { verdict, reasons, unknown } = cell.value;
  return (
    <Section title={`In ${host.name}`}>
      {refusesAll && <p className="note">By itself:</p>}
      {reasons.length !== 1 && (
        <p>
          <VerdictWord verdict={verdict} />
        </p>
      )}
      {verdict === "works" && !refusesAll && <p className="note">No known problem in {host.name}.</p>}
      <Reasons reasons={reasons} />
      {unknown !== null && <p className="note">{unknown}</p>}
    </Section>
  );
}

function Reasons({ reasons }: { readonly reasons: readonly HostReason[] }): ReactNode {
  if (reasons.length === 0) return null;
  return (
    <ul className={styles.reasons}>
      {reasons.map((reason, index) => (
        <li key={index} className={styles.reason}>
          <p>
            <VerdictWord verdict={reason.verdict} />{" "}
            {reason.heuristic && (
              <Badge tip="Likely, but without a first-hand source, or reports contradict each other.">Heuristic</Badge>
            )}
          </p>
          <Sentence text={reason.what} />
          {reason.pointer !== null && (
            <p>
              <VisibleText text={reason.pointer} code oneLine />
            </p>
          )}
          <p>
            {reason.when !== null && <Prose text={`${reason.when} `} />}
            <Prose text={reason.then} />
          </p>
          <p>
            What to do: <Prose text={reason.fix} />
          </p>
          <SourceButton source={reason.source} />
        </li>
      ))}
    </ul>
  );
}

/** Opens a source, after showing its whole address. */
function SourceButton({ source }: { readonly source: HostSource }): ReactNode {
  const { askToOpen } = useActions();
  return (
    <div className={styles.source}>
      <Button small kind="quiet" icon={ExternalLink} title={source.url} onClick={() => askToOpen(source.url, "hosts")}>
        {source.name} ({EVIDENCE_WORDS[source.evidence]}, {source.date})
      </Button>
    </div>
  );
}

/** Note that a host refuses all tools because of one. */
function TakesAll({ tool }: { readonly tool: string }): ReactNode {
  return (
    <p>
      <VerdictWord verdict="fails" /> The host refuses the whole list because of{" "}
      <VisibleText text={tool} code oneLine />.
    </p>
  );
}

interface HostFactsProps {
  readonly host: HostView;
  readonly totals: HostTotals | undefined;
  /** The header is current, so the whole list is described. */
  readonly whole: boolean;
  readonly tools: number;
}

/** Facts about a host. */
function HostFacts({ host, totals, whole, tools }: HostFactsProps): ReactNode {
  return (
    <>
      {whole && totals && (
        <Section title={`${host.name}: ${count(tools, "tool", "tools")}`}>
          {totals.takes_all !== null && <TakesAll tool={totals.takes_all} />}
          {totals.refuses_all && <p className="note">By themselves:</p>}
          <Facts
            items={{
              Fail: number(totals.fails),
              "May fail": number(totals.may_fail),
              Degraded: number(totals.degraded),
              "Not known": number(totals.not_known),
              Work: number(totals.works),
            }}
          />
          <Reasons reasons={totals.reasons} />
        </Section>
      )}
      <Section title={`About ${host.name}`}>
        {host.prefix !== null && (
          <>
            <p>
              Names begin with <code>{host.prefix}</code>.
            </p>
            {host.prefix_source && <SourceButton source={host.prefix_source} />}
          </>
        )}
        {!host.known && <p>Its requirements for tools are not known.</p>}
        <ul className={styles.statements}>
          {[...host.results, ...host.offers].map((statement) => (
            <li key={statement.text}>
              <Prose text={statement.text} />
            </li>
          ))}
        </ul>
        {[...new Map([...host.results, ...host.offers].map(({ source }) => [source.url, source])).values()].map(
          (source) => (
            <SourceButton key={source.url} source={source} />
          ),
        )}
      </Section>
    </>
  );
}

/** Cost of the lists for a model. */
function Costs({ server, summary }: { readonly server: ServerId; readonly summary: HostSummary }): ReactNode {
  const actions = useActions().get(catalogActions);
  const share = (tokens: number): string => {
    const percent = (tokens * 100) / summary.context;
    return percent < 0.1 ? "less than 0.1\u00a0%" : `${percent.toFixed(1)}\u00a0%`;
  };
  return (
    <>
      <Section title="Cost">
        <Facts
          items={summary.lists.map(
            ({ kind, items, tokens, bytes: size }) =>
              [
                `${kindWords[kind].title} (${number(items)})`,
                `${number(tokens)} tokens (estimated), ${share(tokens)} of ${number(summary.context)}; ${bytes(size)}`,
              ] as const,
          )}
        />
        <p className="note">
          Tokens are an estimate: one for four ASCII characters and one for each other character of the name, the
          description and the input schema. The real number depends on the model.
        </p>
      </Section>
      {summary.findings.length > 0 && (
        <Section title="Findings about the list">
          <FindingList findings={summary.findings} at={{ server, subject: "list tools" }} />
        </Section>
      )}
      <Section title="Largest tools">
        <ol className="padLeftS4">
          {summary.costliest.map((tool) => (
            <li key={tool.key}>
              <Button small kind="quiet" onClick={() => actions.openTool(server, tool.key)}>
                <VisibleText text={tool.key} />
              </Button>
              <span className="note">
                {count(tool.tokens, "token", "tokens")}, {bytes(tool.bytes)}
              </span>
            </li>
          ))}
        </ol>
        <p className="note">Select a cell to see why a tool does not work, and the source.</p>
      </Section>
    </>
  );
}
