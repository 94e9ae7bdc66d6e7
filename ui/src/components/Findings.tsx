import { CircleAlert, Info, TriangleAlert, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import type { FindingView, Severity } from "../ipc/bindings";
import { Callout } from "./Callout";
import styles from "./Findings.module.css";
import { Prose } from "./Prose";
import { SpecButton } from "./SpecButton";

const SEVERITIES: Record<Severity, { readonly icon: LucideIcon; readonly word: string }> = {
  error: { icon: CircleAlert, word: "Error" },
  warning: { icon: TriangleAlert, word: "Warning" },
  info: { icon: Info, word: "Info" },
};

/** What is wrong or remarkable, each with its rule and the section of the specification. */
export function FindingList({ findings }: { findings: readonly FindingView[] }): ReactNode {
  return (
    <ul className={styles.list}>
      {findings.map((finding, index) => {
        const { icon: Icon, word } = SEVERITIES[finding.severity];
        return (
          <li key={index} className={styles.finding} data-severity={finding.severity}>
            <Icon size={14} role="img" aria-label={word} className={styles.icon} />
            <span className={styles.text}>
              <Prose text={finding.message} />{" "}
              <code className={styles.rule}>
                {finding.rule}
                {finding.location !== null && ` ${finding.location}`}
              </code>
              {finding.spec && <SpecButton spec={finding.spec} />}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** The same under a title; nothing where there are none. */
export function FindingsCallout({
  title,
  findings,
}: {
  readonly title: string;
  readonly findings: readonly FindingView[];
}): ReactNode {
  if (findings.length === 0) return null;
  const worst = findings.some((finding) => finding.severity !== "info") ? "warning" : "info";
  return (
    <Callout level={worst} title={title}>
      <FindingList findings={findings} />
    </Callout>
  );
}
