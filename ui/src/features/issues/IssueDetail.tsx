import { Bell, BellOff, Copy, ListFilter, ArrowRight } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { InlineForm } from "../../components/InlineForm";
import { TextInput } from "../../components/Field";
import { DetailPane } from "../../components/ListWithDetails";
import { Prose, Sentence } from "../../components/Prose";
import { SEVERITY_WORDS } from "../../components/severities";
import { SpecButton } from "../../components/SpecButton";
import type { IssueCase, IssueRule, ServerId, IssueSubject } from "../../ipc/bindings";
import { issueActions } from "../../state/actions/issues";
import { useActions, useSliceValue } from "../../state/hooks";
import { subjectKey } from "../../state/issues";
import { issuesSlice } from "../../state/slices/issues";
import { focusNames } from "../../state/view";
import { CHANGED_RULES, ChangedDefinitions } from "./ChangedDefinitions";
import type { SubjectCases } from "./issueRows";
import styles from "./issues.module.css";
import { CERTAINTY_WORDS, GROUP_WORDS, listedWords, ruleWords, subjectWords, goneWords, goWords } from "./issueWords";

export interface IssueDetailProps {
  readonly server: ServerId;
  readonly rule: IssueRule;
  /** The selected case; `null` for the rule itself. */
  readonly of: IssueCase | null;
  readonly onClose: () => void;
}

/** A rule with its reason and advice, and its selected case. */
export function IssueDetail({ server, rule, of, onClose }: IssueDetailProps): ReactNode {
  const actions = useActions().get(issueActions);
  const { word, icon: Icon } = SEVERITY_WORDS[rule.severity];
  const framed = rule.cases.some(({ subject }) => subject.type === "frame");
  return (
    <DetailPane
      label={`Issue ${rule.rule}`}
      title={
        <h2 className={styles.title} data-severity={rule.severity}>
          <Icon size={15} aria-hidden />
          <span>{word}</span>
          <code>{rule.rule}</code>
        </h2>
      }
      onClose={onClose}
    >
      {of && <Case server={server} rule={rule} of={of} />}
      {CHANGED_RULES.includes(rule.rule) && rule.count > 0 && (
        <ChangedDefinitions server={server} rule={rule.rule} of={of?.subject ?? null} />
      )}
      <section aria-label="Rule" className="stack gapS2">
        <Sentence text={ruleWords(rule)} />
        <dl className={styles.texts}>
          <dt>Why it matters</dt>
          <dd>
            <Prose text={rule.why} />
          </dd>
          <dt>What to do</dt>
          <dd>
            <Prose text={rule.fix} />
          </dd>
        </dl>
        <p className={styles.facts}>
          <Badge tip={CERTAINTY_WORDS[rule.certainty]}>{rule.certainty === "fact" ? "Fact" : "Heuristic"}</Badge>
          <span>{GROUP_WORDS[rule.group]}</span>
          <span>{rule.revisions === null ? "All protocol versions" : `Protocol versions: ${rule.revisions}`}</span>
          <span>{listedWords(rule)}</span>
        </p>
        <div className="wrap gapS2">
          {rule.spec && <SpecButton spec={rule.spec} />}
          {framed && (
            <Button small icon={ListFilter} onClick={() => actions.showFramesOfRule(server, rule.rule)}>
              Show in wire log
            </Button>
          )}
          {rule.count > 0 && (
            <Button small icon={Copy} onClick={() => actions.copyIssues(server, { rule: rule.rule, case: null })}>
              Copy rule as Markdown
            </Button>
          )}
        </div>
      </section>
      <Mute server={server} rule={rule} />
    </DetailPane>
  );
}

interface CaseProps extends Pick<IssueDetailProps, "server" | "rule"> {
  readonly of: IssueCase;
}

function Case({ server, rule, of }: CaseProps): ReactNode {
  const actions = useActions().get(issueActions);
  return (
    <section aria-label="Case" className="stack gapS2">
      <h3 className="inheritSize">
        {subjectWords(of.subject)} {of.location !== null && <code>{of.location}</code>}
      </h3>
      <Sentence text={of.message} />
      <GoToSubject server={server} subject={of.subject} location={of.location}>
        <Button small icon={Copy} onClick={() => actions.copyIssues(server, { rule: rule.rule, case: of.id })}>
          Copy case as Markdown
        </Button>
      </GoToSubject>
    </section>
  );
}

function Mute({ server, rule }: Pick<IssueDetailProps, "server" | "rule">): ReactNode {
  const actions = useActions();
  const { muteRule, setMuteReason, unmuteRule } = actions.get(issueActions);
  const typed = useSliceValue(server, issuesSlice, (ui) => ui.muteReasons[rule.rule] ?? null);
  // Text typed earlier is shown again when its rule is selected, without taking the focus.
  const [opened, setOpened] = useState(false);
  const stays = useSliceValue(server, issuesSlice, (ui) => ui.filter.muted);
  const { muted } = rule;
  // The focused button disappears, and possibly the whole pane if a rule is muted.
  const leave = (isListed: boolean): void => actions.focus(focusNames.pane(isListed ? "details" : "entries"));
  const cancel = (): void => {
    setMuteReason(server, rule.rule, null);
    leave(true);
  };
  const open = (reason: string): void => {
    setOpened(true);
    setMuteReason(server, rule.rule, reason);
  };
  if (typed !== null) {
    const mute = async (): Promise<void> => {
      if (await muteRule(server, rule.rule, typed, muted)) leave(stays);
    };
    return (
      <InlineForm
        className="stack gapS2"
        label={`Mute ${rule.rule}`}
        onSubmit={() => typed.trim() !== "" && void mute()}
        onCancel={cancel}
      >
        <TextInput
          label="Reason"
          hint="Stored with this server. Muted issues are not counted or marked."
          value={typed}
          maxLength={500}
          autoFocus={opened}
          onChange={(text) => setMuteReason(server, rule.rule, text)}
        />
        <div className="wrap gapS2">
          <Button small kind="primary" type="submit" disabled={typed.trim() === ""}>
            Mute for this server
          </Button>
          <Button small onClick={cancel}>
            Cancel
          </Button>
        </div>
      </InlineForm>
    );
  }
  if (muted === null) {
    return (
      <div className="wrap gapS2">
        <Button small icon={BellOff} onClick={() => open("")}>
          Mute…
        </Button>
      </div>
    );
  }
  return (
    <Callout
      level="info"
      title="Muted for this server"
      actions={
        <>
          <Button
            small
            icon={Bell}
            onClick={() => {
              // A rule without findings was only listed because of its reason.
              leave(rule.count > 0);
              void unmuteRule(server, rule.rule, muted);
            }}
          >
            Unmute
          </Button>
          <Button small onClick={() => open(muted)}>
            Change reason
          </Button>
        </>
      }
    >
      {muted === "" ? "No reason was given." : muted}
    </Callout>
  );
}

interface GoToSubjectProps {
  readonly server: ServerId;
  readonly subject: IssueSubject;
  /** Location within the subject. */
  readonly location: string | null;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** Button to the subject of an issue, or the reason why the subject is gone, with further buttons. */
function GoToSubject({ server, subject, location, children }: GoToSubjectProps): ReactNode {
  const actions = useActions().get(issueActions);
  const gone = goneWords(subject);
  return (
    <div className="wrap gapS2">
      <Button
        small
        kind="primary"
        icon={ArrowRight}
        disabled={gone !== null}
        onClick={() => actions.showIssueSubject(server, subject, location)}
      >
        {goWords(subject)}
      </Button>
      {children}
      {gone !== null && <span className="note">{gone}</span>}
    </div>
  );
}

export interface SubjectDetailProps extends Pick<IssueDetailProps, "server" | "onClose"> {
  readonly of: SubjectCases;
}

/** A subject with issues, with the message of each issue. */
export function SubjectDetail({ server, of: { subject, cases }, onClose }: SubjectDetailProps): ReactNode {
  const actions = useActions();
  return (
    <DetailPane
      label={`Issues of ${subjectWords(subject)}`}
      title={<h2 className={styles.title}>{subjectWords(subject)}</h2>}
      onClose={onClose}
    >
      <GoToSubject server={server} subject={subject} location={null} />
      <ul className="stack noBullets gapS4">
        {cases.map(({ rule, case: one }) => {
          const { word, icon: Icon } = SEVERITY_WORDS[rule.severity];
          return (
            <li key={`${rule.rule} ${one.id}`} className="stack gapS2">
              <span className={styles.title} data-severity={rule.severity}>
                <Icon size={13} aria-hidden />
                <span>{word}</span>
                <code>{rule.rule}</code>
                {one.location !== null && <code>{one.location}</code>}
                {rule.certainty === "heuristic" && <Badge>Heuristic</Badge>}
                {rule.muted !== null && <Badge icon={BellOff}>Muted</Badge>}
              </span>
              <span>
                <Prose text={one.message} />
              </span>
              <div>
                <Button
                  small
                  onClick={() => {
                    actions.get(issueActions).openIssue(server, subjectKey(subject), true);
                    actions.get(issueActions).selectIssue(server, { rule: rule.rule, case: one.id });
                    // The button disappears with its section.
                    actions.focus(focusNames.pane("details"));
                  }}
                >
                  Show issue
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
    </DetailPane>
  );
}
