import { ExternalLink } from "lucide-react";
import { useEffect, useRef, type ReactNode, type RefObject } from "react";

import { Button } from "../../components/Button";
import { Callout, ErrorCallout } from "../../components/Callout";
import { Code } from "../../components/Code";
import { CopyButton } from "../../components/CopyButton";
import { Disclosure } from "../../components/Disclosure";
import { Facts } from "../../components/Facts";
import { Select } from "../../components/Field";
import { Panel } from "../../components/Panel";
import { Segmented } from "../../components/Segmented";
import { Spinner } from "../../components/Spinner";
import type { AppReport, HistoryLimits } from "../../ipc/bindings";
import { number } from "../../lib/format";
import { ZOOM_STEPS } from "../../lib/zoom";
import { useActions, useAppState } from "../../state/hooks";
import { useFetched } from "../../state/queries";
import styles from "./SettingsPanel.module.css";
import { StoredSecrets } from "./StoredSecrets";

/** Settings of the app, and information about it. */
export function SettingsPanel({ at }: { readonly at?: "secrets" | undefined }) {
  const { theme, zoom, text_size: textSize } = useAppState((state) => state.live.settings);
  const actions = useActions();
  const secrets = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (at !== "secrets") return;
    secrets.current?.scrollIntoView?.({ block: "start" });
    secrets.current?.focus({ preventScroll: true });
  }, [at]);
  const report = useFetched("report", "", (backend) => backend.call("app_report", {}));
  return (
    <Panel title="Settings">
      <Section title="Theme">
        <Segmented
          label="Theme"
          value={theme}
          onChange={(next) => void actions.updateSettings({ theme: next })}
          items={{ system: "System", light: "Light", dark: "Dark" }}
        />
      </Section>
      <Section title="Zoom">
        {/* A list instead of two buttons, as zooming moves buttons away from the pointer. */}
        <Select
          label="Zoom of the window"
          hideLabel
          value={String(zoom)}
          items={withNow(ZOOM_STEPS, zoom).map((step) => ({ value: String(step), label: `${step}%` }))}
          onChange={(step) => void actions.updateSettings({ zoom: Number(step) })}
        />
        <p className="note">Makes everything in the window larger or smaller. Text size changes only the text.</p>
      </Section>
      <Section title="Text size">
        <Segmented
          label="Text size"
          value={textSize}
          onChange={(next) => void actions.updateSettings({ text_size: next })}
          items={{ small: "Small", medium: "Medium", large: "Large" }}
        />
      </Section>
      <Section title="History">
        <HistorySettings />
      </Section>
      <Section title="Keyboard shortcuts">
        <Button onClick={() => actions.setOverlay("shortcuts")}>Show all shortcuts</Button>
      </Section>
      <Section title="Stored secrets" heading={secrets}>
        <StoredSecrets heading={secrets} />
      </Section>
      <Section title="About Sonde">
        {report.state === "loading" && <Spinner label="Loading…" />}
        {report.state === "failed" && <ErrorCallout error={report.error} />}
        {report.state === "done" && <Report report={report.value} />}
      </Section>
      <div>
        <Button onClick={() => actions.closePanel()}>Close</Button>
      </div>
    </Panel>
  );
}

/** Adds the current value to the choices, as a settings file edited by hand may hold another value. */
const withNow = (values: readonly number[], now: number): number[] =>
  [...new Set([...values, now])].toSorted((a, b) => a - b);

/** Choices for each limit of the stored runs. */
const LIMITS: Readonly<Record<keyof HistoryLimits, readonly number[]>> = {
  runs: [0, 50, 100, 250, 500],
  server_mib: [16, 64, 256],
  total_mib: [64, 256, 1024],
};

function HistorySettings() {
  const history = useAppState((state) => state.live.settings.history);
  const actions = useActions();
  const off = history.runs === 0;
  const limit = (name: keyof HistoryLimits, label: string, word: (value: number) => string) => {
    return (
      <Select
        label={label}
        value={String(history[name])}
        items={withNow(LIMITS[name], history[name]).map((value) => ({ value: String(value), label: word(value) }))}
        disabled={off && name !== "runs"}
        onChange={(value) => void actions.updateSettings({ history: { ...history, [name]: Number(value) } })}
      />
    );
  };
  return (
    <>
      <div className="wraps gap12 flexed">
        {limit("runs", "Runs stored per server", (value) => (value === 0 ? "Off" : number(value)))}
        {limit("server_mib", "Size per server", (value) => `${number(value)} MB`)}
        {limit("total_mib", "Size of all servers", (value) => `${number(value)} MB`)}
      </div>
      <p className="note">
        {off
          ? "New runs are not stored. Stored runs stay until you delete them."
          : "Beyond a limit the oldest runs are deleted, except pinned ones. Known secrets are replaced before a run is stored; runs with password fields are not stored."}
      </p>
    </>
  );
}

interface SectionProps {
  title: string;
  /** Heading that may have to take the focus. */
  heading?: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
}

function Section({ title, heading, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className="heading" ref={heading} tabIndex={heading === undefined ? undefined : -1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

function Report({ report }: { report: AppReport }) {
  const actions = useActions();
  const { releases } = report;
  return (
    <>
      <Facts
        items={{
          Version: report.version,
          System: report.system,
          "Data folder": <code>{report.data_folder}</code>,
        }}
      />
      <div className="row gap8">
        <CopyButton label="Copy report" text={() => reportText(report)} />
        <span className="muted">For bug reports. It contains no secrets.</span>
      </div>
      {releases === null ? (
        <p className="muted">Sonde does not check for updates.</p>
      ) : (
        <div className="row gap8">
          <Button small icon={ExternalLink} onClick={() => actions.askToOpen(releases, "releases")}>
            Open the releases page…
          </Button>
          <span className="muted">Opens {releases} in the browser. Sonde does not check by itself.</span>
        </div>
      )}
      {report.crashes.length > 0 && (
        <Callout
          level="warning"
          title={
            report.crashes.length === 1
              ? "Sonde has crashed once."
              : `Sonde has crashed ${number(report.crashes.length)} times.`
          }
        >
          <Disclosure summary="Reports, newest first">
            <Code label="Crash reports" text={report.crashes.join("\n\n")} />
          </Disclosure>
        </Callout>
      )}
      <Disclosure summary="App log">
        {report.log.length === 0 ? <p className="muted">Empty.</p> : <Code label="Log" text={report.log.join("\n")} />}
      </Disclosure>
    </>
  );
}

function reportText(report: AppReport): string {
  return [
    `Sonde ${report.version}`,
    report.system,
    `Data folder: ${report.data_folder}`,
    `Secrets: ${report.keyring}`,
    "",
    "Crashes:",
    ...(report.crashes.length > 0 ? report.crashes : ["none"]),
    "",
    "Log:",
    ...report.log,
  ].join("\n");
}
