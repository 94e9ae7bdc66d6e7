import { ChevronDown, ChevronRight, MessageCircleQuestionMark } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { SessionState, stateWord } from "../../components/SessionState";
import { SubjectMenuButton } from "../../components/SubjectMenuButton";
import { VisibleText } from "../../components/VisibleText";
import type { ServerGroupView, ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { count, number } from "../../lib/format";
import { useActions, useAppState, useHealth, useParts, useServer, useSession } from "../../state/hooks";
import { hiddenIn } from "../../state/serverGroups";
import { focusMark, focusNames, subjectMark } from "../../state/view";
import { IssueSign } from "./IssueSign";
import styles from "./ServerList.module.css";

interface ServerGroupHeadProps {
  group: ServerGroupView;
  /** The servers of the group are visible. */
  open: boolean;
  /** The group contains the selected server. */
  selected: boolean;
}

/**
 * Header of a group, which opens and closes it. While it is closed, the header shows the servers' open requests, issues
 * and worst state.
 */
export function ServerGroupHead({ group, open, selected }: ServerGroupHeadProps) {
  const actions = useActions();
  const edited = useAppState((state) => state.view.editedGroup === group.id);
  const { waiting, issues, errors, worst } = useParts(({ live }) => hiddenIn(live, open ? [] : group.servers));
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <li
      className={cx(styles.row, styles.groupHead, selected && !open && styles.selected)}
      data-group={group.id}
      data-count={group.servers.length}
      {...subjectMark({ type: "group", group: group.id })}
    >
      {edited ? (
        <GroupName group={group} />
      ) : (
        <button
          type="button"
          className={styles.select}
          aria-expanded={open}
          data-group-toggle
          {...focusMark(focusNames.group(group.id))}
          data-focus="inset"
          data-tip={group.name}
          onClick={() => void actions.collapseServerGroup(group.id, open)}
        >
          <Chevron size={13} aria-hidden className="rigid muted" />
          <span className={styles.name}>
            <VisibleText text={group.name} />
          </span>
          {worst !== null && <WorstState server={worst} />}
          {waiting > 0 && (
            <span className={styles.asks} data-tip={`${count(waiting, "request waits", "requests wait")} for you`}>
              <MessageCircleQuestionMark size={13} aria-hidden /> {number(waiting)}
              <span className="visuallyHidden"> {waiting === 1 ? "needs" : "need"} input</span>
            </span>
          )}
          {issues > 0 && <IssueSign issues={issues} errors={errors} where="in the connections of its servers" />}
          <span className={styles.count}>
            {number(group.servers.length)}
            <span className="visuallyHidden"> {group.servers.length === 1 ? "server" : "servers"}</span>
          </span>
        </button>
      )}
      <span className={styles.menu}>
        <SubjectMenuButton
          label={`Actions for group ${group.name}`}
          subject={{ type: "group", group: group.id }}
          small
        />
      </span>
    </li>
  );
}

/** State of a connection that is not visible. */
function WorstState({ server }: { server: ServerId }) {
  const session = useSession(server);
  const health = useHealth(server);
  const name = useServer(server)?.config.name ?? "";
  return (
    <span className="inlineFlex rigid" data-tip={`${name}: ${stateWord(session, health)}`}>
      <SessionState session={session} health={health} iconOnly />
    </span>
  );
}

function GroupName({ group }: { group: ServerGroupView }) {
  const actions = useActions();
  const [name, setName] = useState(group.name);
  const field = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const close = (taken: boolean): void => {
    if (done.current) return;
    done.current = true;
    if (taken) void actions.renameServerGroup(group.id, name);
    else actions.editServerGroup(null);
  };
  return (
    <input
      ref={field}
      className={styles.groupName}
      aria-label="Name of the group"
      value={name}
      maxLength={100}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => setName(event.target.value)}
      onBlur={() => close(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // Otherwise Enter would press the button that gets the focus.
        event.preventDefault();
        close(event.key === "Enter");
        actions.focus(focusNames.group(group.id));
      }}
    />
  );
}
