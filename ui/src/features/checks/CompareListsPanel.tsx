import { ArrowLeftRight, RefreshCw } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { Callout, ErrorCallout } from "../../components/Callout";
import { CopyButton } from "../../components/CopyButton";
import { Select } from "../../components/Field";
import { kindWords } from "../../components/kindWords";
import { Panel } from "../../components/Panel";
import { Prose } from "../../components/Prose";
import { Section } from "../../components/Section";
import { Sentences } from "../../components/Sentences";
import { Spinner } from "../../components/Spinner";
import { PROTOCOL_VERSIONS, type ListComparison, type ListSide } from "../../ipc/bindings";
import { visibleText } from "../../lib/visible";
import { useActions, useAppState } from "../../state/hooks";
import { useFetched } from "../../state/queries";
import styles from "./checks.module.css";
import { byList, changesWords, CLASS_WORDS, CLASSES, comparisonText, MOMENT_WORDS } from "./listWords";

export interface CompareListsPanelProps {
  readonly left: ListSide;
  readonly right: ListSide;
}

/** Compares the items of two servers, or of one server at two times or with two protocol versions. */
export function CompareListsPanel({ left, right }: CompareListsPanelProps): ReactNode {
  const actions = useActions();
  const [times, setTimes] = useState(0);
  const sides = { left, right };
  const key = `${JSON.stringify(sides)} ${times}`;
  const compared = useFetched(key, key, (backend) => backend.call("compare_lists", sides));
  const open = (change: Partial<CompareListsPanelProps>): void =>
    actions.openPanel({ type: "compare_lists", ...sides, ...change });
  return (
    <Panel
      title="Compare lists"
      lead="Tools, resources and prompts of two servers, or of one server then and now."
      footer={
        <>
          <Button small icon={RefreshCw} disabled={compared.state === "loading"} onClick={() => setTimes(times + 1)}>
            Compare again
          </Button>
          <Button small icon={ArrowLeftRight} onClick={() => open({ left: right, right: left })}>
            Swap
          </Button>
          {compared.state === "done" && (
            <CopyButton label="Copy as Markdown" text={() => comparisonText(compared.value)} />
          )}
          <Button small kind="quiet" onClick={() => actions.closePanel()}>
            Close
          </Button>
        </>
      }
    >
      <div className={styles.sides}>
        <Side label="Before" side={left} onChange={(to) => open({ left: to })} />
        <Side label="After" side={right} onChange={(to) => open({ right: to })} />
      </div>
      {compared.state === "loading" && <Spinner label="Reading and comparing the lists…" />}
      {compared.state === "failed" && <ErrorCallout role="alert" error={compared.error} />}
      {compared.value && <Found comparison={compared.value} />}
    </Panel>
  );
}

interface SideProps {
  readonly label: string;
  readonly side: ListSide;
  readonly onChange: (side: ListSide) => void;
}

function Side({ label, side, onChange }: SideProps): ReactNode {
  const order = useAppState((state) => state.live.order);
  const servers = useAppState((state) => state.live.servers);
  const { server, revision, when } = side;
  return (
    <section className="stack gapS2" aria-label={label}>
      <h2 className="inheritSize strong">{label}</h2>
      <Select
        label="Server"
        value={server}
        items={order.map((id) => ({ value: id, label: visibleText(servers[id]?.config.name ?? id) }))}
        onChange={(to) => onChange({ ...side, server: to })}
      />
      <Select
        label="Lists"
        value={when}
        items={(["now", "accepted"] as const).map((value) => ({ value, label: MOMENT_WORDS[value] }))}
        // Accepted lists have no protocol version.
        onChange={(to) => onChange({ ...side, when: to, revision: null })}
      />
      <Select
        label="Protocol version"
        disabled={when === "accepted"}
        value={revision ?? ""}
        items={[
          { value: "", label: "As the server is set" },
          ...PROTOCOL_VERSIONS.map((version) => ({ value: version, label: version })),
        ]}
        onChange={(to) => onChange({ ...side, revision: to === "" ? null : to })}
      />
    </section>
  );
}

function Found({ comparison }: { readonly comparison: ListComparison }): ReactNode {
  const { left, right, changes, unread } = comparison;
  const level = unread.length === 0 ? "ok" : "info";
  return (
    <>
      <Callout level={changes.some((change) => change.class === "breaking") ? "warning" : level} role="status">
        <p className="strong">{changesWords(comparison)}</p>
        <p>
          {visibleText(left)} and {visibleText(right)}
        </p>
      </Callout>
      <Sentences of={unread} label="Lists that were not compared" />
      {CLASSES.map((each) => {
        const found = changes.filter((change) => change.class === each);
        return (
          found.length > 0 && (
            <Section key={each} title={CLASS_WORDS[each].title}>
              <p className="muted">{CLASS_WORDS[each].means}</p>
              {byList(found).map(([list, those]) => (
                <div key={list} className="stack gap4">
                  <h3 className="inheritSize strong">{kindWords[list].title}</h3>
                  <ul className="padLeft20 breakable textSelectable">
                    {those.map(({ name, words }, index) => (
                      <li key={`${index} ${name}`}>
                        <Prose text={words} />
                      </li>
                    ))}
                  </ul>
                </div>
              ))}
            </Section>
          )
        );
      })}
    </>
  );
}
