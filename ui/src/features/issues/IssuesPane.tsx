import { BellOff, ChevronDown, ChevronRight, Copy } from "lucide-react";
import { useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";

import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { ErrorCallout } from "../../components/Callout";
import { Empty } from "../../components/Empty";
import { FilterChips } from "../../components/FilterChips";
import { FilterSelect } from "../../components/FilterSelect";
import { Checkbox } from "../../components/Field";
import { FilterBar, ListWithDetails } from "../../components/ListWithDetails";
import { PaneButtons } from "../../components/PaneButtons";
import { Prose } from "../../components/Prose";
import { rowOf } from "../../components/rows/rowInput";
import { VirtualList } from "../../components/rows/VirtualList";
import { Segmented } from "../../components/Segmented";
import { SEVERITY_WORDS } from "../../components/severities";
import type { IssueFilter, IssueList, IssueRule, RuleGroup, ServerId, Severity } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { count, number } from "../../lib/format";
import { useIsSmall } from "../../lib/useMedia";
import { issueActions } from "../../state/actions/issues";
import { useActions, useIsReady, useIssueCounts, useServerUi, useSlice, useAppState } from "../../state/hooks";
import { issueCount } from "../../state/issues";
import { useFetched } from "../../state/queries";
import { issuesSlice } from "../../state/slices/issues";
import { focusNames } from "../../state/view";
import { IssueDetail, SubjectDetail } from "./IssueDetail";
import { issueRows, selectedRow, type IssueRow, type SubjectCases } from "./issueRows";
import styles from "./issues.module.css";
import { GROUP_WORDS, judgedWords, listedWords, ruleWords, SEVERITIES, subjectWords, totalWords } from "./issueWords";

const ROW_HEIGHT = 28;

const { filter: NO_FILTER } = issuesSlice.initial;

/** Violations of the specification, by rule or by item. */
export function IssuesPane({ server }: { readonly server: ServerId }): ReactNode {
  const [{ filter }, setUi] = useSlice(server, issuesSlice);
  const version = useAppState(({ live }) => live.issues[server]?.version ?? 0);
  const list = useFetched(server, `${version}\n${JSON.stringify(filter)}`, (backend) =>
    backend.call("issues", { server, filter }),
  );
  const isMaximized = useServerUi(server, (ui) => ui.maximized === "issues");
  if (list.state === "failed") {
    return (
      <>
        <ErrorCallout error={list.error} />
        {isMaximized && <PaneButtons server={server} pane="issues" label="issues" />}
      </>
    );
  }
  return list.state === "loading" ? null : (
    <Listed server={server} list={list.value} filter={filter} onFilter={(next) => setUi({ filter: next })} />
  );
}

interface ListedProps {
  readonly server: ServerId;
  readonly list: IssueList;
  readonly filter: IssueFilter;
  readonly onFilter: (filter: IssueFilter) => void;
}

function Listed({ server, list, filter, onFilter }: ListedProps): ReactNode {
  const actions = useActions();
  const { copyIssues, groupIssues, openIssue, selectIssue, showIssueSubject } = actions.get(issueActions);
  const counts = useIssueCounts(server);
  const ready = useIsReady(server);
  const [{ grouping, open, selected: issue, subject }, setUi] = useSlice(server, issuesSlice);
  const small = useIsSmall();
  /** Row reached by keys: on a small window its details are shown only on request. */
  const [walkedTo, setWalkedTo] = useState<string | null>(null);
  const searching = filter.text.trim() !== "";
  const rows = issueRows(list.rules, grouping, open, searching);
  const at = selectedRow(rows, issue, subject);
  const selected = rows[at];
  const onList = selected === undefined || (small && walkedTo === rowKey(selected));
  const total = issueCount(counts);
  const heads = rows.filter((row) => row.type !== "case").length;
  const hits = isNarrowed(filter)
    ? grouping === "rule"
      ? count(heads, "rule", "rules")
      : count(heads, "item", "items")
    : undefined;

  const selectHead = (key: string): void => {
    if (grouping === "rule") selectIssue(server, { rule: key, case: null });
    else setUi({ selected: null, subject: key });
  };
  const select = (row: IssueRow | undefined): void => {
    setWalkedTo(row ? rowKey(row) : null);
    if (row?.type === "case") selectIssue(server, { rule: row.rule.rule, case: row.case.id });
    else if (row) selectHead(row.key);
  };
  const setOpen = (row: IssueRow, on: boolean): void => {
    // During a search every row is open.
    if (searching) return;
    // Closing its parent removes the row itself.
    if (row.type === "case") {
      selectHead(row.below);
      setWalkedTo(row.below);
    }
    openIssue(server, row.type === "case" ? row.below : row.key, on);
  };
  const activate = (row: IssueRow | undefined): void => {
    if (!row) return;
    if (small && onList) {
      setWalkedTo(null);
      actions.focus(focusNames.pane("details"));
      return;
    }
    if (row.type === "case") showIssueSubject(server, row.case.subject, row.case.location);
    else setOpen(row, !row.open);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!selected || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOpen = selected.type === "case" || selected.open;
    if (event.key === "ArrowRight" && !isOpen) setOpen(selected, true);
    else if (event.key === "ArrowLeft" && isOpen) setOpen(selected, false);
    else if (event.key === "Escape") selectIssue(server, null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onClick = (event: MouseEvent): void => {
    const row = rows[rowOf(event) ?? -1];
    const onFold = event.target instanceof Element && event.target.closest("[data-fold]");
    if (row && row.type !== "case" && onFold) setOpen(row, !row.open);
    else if (row) setWalkedTo(null);
  };

  const close = (): void => selectIssue(server, null);

  return (
    <ListWithDetails
      label="Issues"
      name="issue"
      detail="issue"
      beside={{ from: 1240, standard: 44, least: 320, leastRest: 300 }}
      below={{ standard: 55, least: 150, leastRest: 90 }}
      isOpen={!onList}
      head={
        <Filters filter={filter} onFilter={onFilter} muted={counts.muted} hits={hits}>
          <Segmented
            label="Group by"
            value={grouping}
            onChange={(next) => groupIssues(server, next)}
            items={{ rule: "By rule", item: "By item" }}
          />
          <Button small icon={Copy} disabled={total === 0} onClick={() => copyIssues(server, null)}>
            Copy all as Markdown
          </Button>
          <PaneButtons server={server} pane="issues" label="issues" />
        </Filters>
      }
      list={
        <div role="presentation" className="tall flat scrolls" onKeyDown={onKeyDown} onClick={onClick}>
          {rows.length === 0 ? (
            <NoIssues server={server} list={list} filter={filter} onFilter={onFilter} />
          ) : (
            <VirtualList
              count={rows.length}
              rowHeight={ROW_HEIGHT}
              label={`Issues by ${grouping}, worst first`}
              selected={at < 0 ? null : at}
              onSelect={(index) => select(rows[index])}
              onActivate={(index) => activate(rows[index])}
              scrollTo={at < 0 ? undefined : { index: at, token: `${grouping} ${issue?.rule} ${subject}` }}
              render={(index) => <Row row={rows[index]} foldable={!searching} />}
            />
          )}
        </div>
      }
      details={
        selected?.type === "subject" ? (
          <SubjectDetail key={selected.key} server={server} of={selected.of} onClose={close} />
        ) : (
          selected && (
            <IssueDetail
              key={`${selected.rule.rule} ${selected.type === "case" ? selected.case.id : ""}`}
              server={server}
              rule={selected.rule}
              of={selected.type === "case" ? selected.case : null}
              onClose={close}
            />
          )
        )
      }
      foot={
        <>
          <span role="status">{totalWords(counts, total)}</span>
          <span className="muted">
            Counted: {judgedWords(list.judged)} {ready ? "of this connection" : "of the last connection"}
          </span>
          {grouping === "item" && !searching && list.rules.some(isCut) && (
            <span className="muted">Some rules have more cases than are listed</span>
          )}
        </>
      }
    />
  );
}

const rowKey = (row: IssueRow): string => (row.type === "case" ? `${row.rule.rule} ${row.case.id}` : row.key);

const isCut = (rule: IssueRule): boolean => rule.cases.length < rule.count;

const isNarrowed = (filter: IssueFilter): boolean =>
  filter.text.trim() !== "" || filter.severities.length > 0 || filter.groups.length > 0;

interface FiltersProps {
  readonly filter: IssueFilter;
  readonly onFilter: (filter: IssueFilter) => void;
  readonly muted: number;
  readonly hits: string | undefined;
  readonly children: ReactNode;
}

function Filters({ filter, onFilter, muted, hits, children }: FiltersProps): ReactNode {
  const toggle = (severity: Severity): void => {
    const others = filter.severities.filter((one) => one !== severity);
    const next = others.length < filter.severities.length ? others : [...others, severity];
    onFilter({ ...filter, severities: next.length === SEVERITIES.length ? [] : next });
  };
  return (
    <FilterBar of="issues" value={filter.text} onChange={(text) => onFilter({ ...filter, text })} hits={hits}>
      <FilterChips
        label="Severities"
        chips={SEVERITIES.map((severity) => ({
          name: SEVERITY_WORDS[severity].word,
          icon: SEVERITY_WORDS[severity].icon,
          on: filter.severities.includes(severity),
          onToggle: () => toggle(severity),
        }))}
      />
      <FilterSelect
        label="Group of rules"
        value={filter.groups[0] ?? ""}
        none="All groups"
        items={Object.entries(GROUP_WORDS)}
        onChange={(group) => onFilter({ ...filter, groups: group === "" ? [] : [group as RuleGroup] })}
      />
      <Checkbox
        label={muted > 0 ? `Muted (${number(muted)})` : "Muted"}
        checked={filter.muted}
        onChange={(on) => onFilter({ ...filter, muted: on })}
      />
      {children}
    </FilterBar>
  );
}

function Row({ row, foldable }: { readonly row: IssueRow | undefined; readonly foldable: boolean }): ReactNode {
  if (!row) return null;
  if (row.type === "subject") return <SubjectRow of={row.of} open={foldable ? row.open : null} />;
  const { rule } = row;
  if (row.type === "case") {
    const { case: of } = row;
    return (
      <div className={cx(styles.row, styles.case, rule.muted !== null && "muted")} data-severity={rule.severity}>
        {row.below === rule.rule ? (
          <span className={styles.subject}>{subjectWords(of.subject)}</span>
        ) : (
          <RuleName rule={rule} />
        )}
        {of.location !== null && <code className={styles.location}>{of.location}</code>}
        <span className="shrink clipped muted equal cutText">
          <Prose text={of.message} />
        </span>
      </div>
    );
  }
  return (
    <div className={cx(styles.row, rule.muted !== null && "muted")} data-severity={rule.severity}>
      <Fold open={foldable && rule.cases.length > 0 ? row.open : null} />
      <RuleName rule={rule} />
      <span className="shrink clipped muted equal cutText">
        <Prose text={ruleWords(rule)} />
      </span>
      <span className="rigid digits" data-tip={listedWords(rule)}>
        {number(rule.count)}
      </span>
    </div>
  );
}

function RuleName({ rule }: { readonly rule: IssueRule }): ReactNode {
  return (
    <>
      <SeverityMark severity={rule.severity} />
      <code className="rigid">{rule.rule}</code>
      {rule.certainty === "heuristic" && <Badge>Heuristic</Badge>}
      {rule.muted !== null && <Badge icon={BellOff}>Muted</Badge>}
    </>
  );
}

function SubjectRow({ of, open }: { readonly of: SubjectCases; readonly open: boolean | null }): ReactNode {
  const rules = [...new Set(of.cases.map(({ rule }) => rule.rule))];
  const severity = of.cases[0]?.rule.severity ?? "info";
  const muted = of.cases.every(({ rule }) => rule.muted !== null);
  return (
    <div className={cx(styles.row, muted && "muted")} data-severity={severity}>
      <Fold open={open} />
      <SeverityMark severity={severity} />
      <span className={styles.subject}>{subjectWords(of.subject)}</span>
      {muted && <Badge icon={BellOff}>Muted</Badge>}
      <span className="shrink clipped muted equal cutText">{rules.join(", ")}</span>
      <span className="rigid digits" data-tip={count(of.cases.length, "case", "cases")}>
        {number(of.cases.length)}
      </span>
    </div>
  );
}

/** `null`: the row has no children, or cannot be closed. */
function Fold({ open }: { readonly open: boolean | null }): ReactNode {
  const Icon = open === true ? ChevronDown : ChevronRight;
  return (
    <span data-fold="" className={styles.fold}>
      {open !== null && <Icon size={13} role="img" aria-label={open ? "Open" : "Closed"} />}
    </span>
  );
}

function SeverityMark({ severity }: { readonly severity: Severity }): ReactNode {
  const { word, icon: Icon } = SEVERITY_WORDS[severity];
  return (
    <span className={styles.severity}>
      <Icon size={13} aria-hidden /> {word}
    </span>
  );
}

function NoIssues({ server, list, filter, onFilter }: ListedProps): ReactNode {
  const actions = useActions();
  const ready = useIsReady(server);
  const { muted } = useIssueCounts(server);
  // Grouped by item, a muted rule without findings has no row.
  if (list.rules.length > 0) {
    return (
      <Empty
        title="No issues of any item"
        actions={
          <Button small onClick={() => actions.get(issueActions).groupIssues(server, "rule")}>
            Show muted rules
          </Button>
        }
      />
    );
  }
  if (isNarrowed(filter) && list.all > 0) {
    return (
      <Empty
        title="No matching issues"
        actions={
          <Button small onClick={() => onFilter({ ...NO_FILTER, muted: filter.muted })}>
            Show all issues
          </Button>
        }
      />
    );
  }
  const { messages, results, lists } = list.judged;
  if (messages + results + lists.length === 0) {
    return (
      <Empty title="Nothing was judged yet">
        {ready
          ? "What the server sends is judged as it arrives."
          : "Connect, and what the server sends is judged as it arrives."}
      </Empty>
    );
  }
  return (
    <Empty
      title={muted > 0 ? "No issues but muted ones" : "No issues found so far"}
      actions={
        list.all > 0 && (
          <Button small onClick={() => onFilter({ ...NO_FILTER, muted: true })}>
            {muted > 0 ? `Show muted issues (${number(muted)})` : "Show muted rules"}
          </Button>
        )
      }
    >
      Judged so far: {judgedWords(list.judged)}. Sonde judges lists when it reads them, and results when you run tools.
    </Empty>
  );
}
