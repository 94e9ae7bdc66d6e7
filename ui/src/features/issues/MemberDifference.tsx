import { useMemo, type ReactNode } from "react";

import { CopyButton } from "../../components/CopyButton";
import { ChangeSign } from "../../components/ChangeSign";
import { Prose, Sentence } from "../../components/Prose";
import { VisibleText } from "../../components/VisibleText";
import type { MemberChange, MemberText } from "../../ipc/bindings";
import { cut } from "../../lib/cut";
import { count, number } from "../../lib/format";
import { changesOf, changesText, shownPath, type Change } from "../../schema/difference/changes";
import { compareJson } from "../../schema/difference/jsonDifference";
import type { JsonNode } from "../../schema/node";
import { nodeIn } from "../../schema/parse";
import { prettyJson, printNode } from "../../schema/print";
import styles from "./issues.module.css";

/** Limit of differences shown of one member; all of them can be copied. */
const MOST_DIFFERENCES = 50;
/** Limit of characters kept of a description or of instructions; an ellipsis marks a cut. */
const KEPT_CHARACTERS = 8_000;
/** Limit of characters shown of a value. */
const LONGEST_VALUE = 2_000;

/** Differences in one member of a definition. */
export function MemberDifference({ change }: { readonly change: MemberChange }): ReactNode {
  const { member, before, after } = change;
  const name = member.includes(" ") || member === "instructions" ? member : `\`${member}\``;
  if (before.type === "not_kept" || after.type === "not_kept") {
    return (
      <p className="note">
        <Prose
          text={`The text of ${name} is not stored: check the raw definition on the Tools tab before you accept it.`}
        />
      </p>
    );
  }
  if (isSame(before, after)) {
    return <Sentence text={`${name}: ${whereUnseen(before)}`} />;
  }
  return (
    <Places member={member} name={name} before={before} after={after}>
      <dl className={styles.texts}>
        <dt>
          Accepted <Prose text={name} />
        </dt>
        <dd>
          <MemberValue text={before} />
        </dd>
        <dt>
          Current <Prose text={name} />
        </dt>
        <dd>
          <MemberValue text={after} />
        </dd>
      </dl>
    </Places>
  );
}

interface PlacesProps extends MemberChange {
  readonly name: string;
  /** Content to show unless both versions are JSON. */
  readonly children: ReactNode;
}

/** Changed paths of JSON, each with both values. */
function Places({ member, name, before, after, children }: PlacesProps): ReactNode {
  const changes = useMemo(() => changesIn(before, after), [before, after]);
  if (changes === null) return children;
  const shown = changes.slice(0, MOST_DIFFERENCES);
  return (
    <div className="stack">
      <h4 className="row gapS1 strong">
        <Prose text={name} />
        <CopyButton
          compact
          label={`Copy the difference in ${member}`}
          text={() => Promise.resolve(changesText(changes, ["accepted", "present"]))}
        />
      </h4>
      <dl className={styles.texts}>
        {shown.map((place, index) => (
          <Place key={index} place={place} />
        ))}
      </dl>
      {changes.length > shown.length && (
        <p className="note">{count(changes.length - shown.length, "more place differs", "more places differ")}.</p>
      )}
    </div>
  );
}

function Place({ place: { kind, path, from, left, right } }: { readonly place: Change }): ReactNode {
  return (
    <>
      <dt>
        <ChangeSign kind={kind} />
        <VisibleText text={shownPath(path)} code oneLine />
        {from !== null && <span className="note"> was {shownPath(from)}</span>}
      </dt>
      {kind !== "moved" && left !== null && (
        <dd>
          <span className="note">Accepted: </span>
          <VisibleText text={valueOf(left)} code />
        </dd>
      )}
      {kind !== "moved" && right !== null && (
        <dd>
          <span className="note">Current: </span>
          <VisibleText text={valueOf(right)} code />
        </dd>
      )}
    </>
  );
}

function MemberValue({ text }: { readonly text: MemberText }): ReactNode {
  if (text.type === "absent" || textOf(text) === "") return <span className="note">None</span>;
  return <VisibleText text={text.type === "json" ? cut(prettyJson(textOf(text)), LONGEST_VALUE) : textOf(text)} code />;
}

/** Compares both versions; `null` unless both are JSON. */
function changesIn(before: MemberText, after: MemberText): readonly Change[] | null {
  if (before.type !== "json" || after.type !== "json") return null;
  const [left, right] = [nodeIn(before.text), nodeIn(after.text)];
  return left && right ? changesOf(compareJson(left, right).difference) : null;
}

function isSame(before: MemberText, after: MemberText): boolean {
  return before.type !== "absent" && after.type !== "absent" && textOf(before) === textOf(after);
}

/** Describes the first difference of two texts that look the same. */
function whereUnseen(shown: MemberText): string {
  const isCut = shown.type === "text" && [...textOf(shown)].length > KEPT_CHARACTERS;
  return isCut
    ? `differs after the first ${number(KEPT_CHARACTERS)} characters, or in a value that is hidden as a secret.`
    : "differs only in a value that is hidden as a secret.";
}

function textOf(text: MemberText): string {
  return text.type === "text" || text.type === "json" ? text.text : "";
}

function valueOf(node: JsonNode): string {
  return cut(printNode(node), LONGEST_VALUE);
}
