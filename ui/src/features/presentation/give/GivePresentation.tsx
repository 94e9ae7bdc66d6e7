import {
  AArrowDown,
  AArrowUp,
  LayoutGrid,
  Moon,
  NotebookText,
  Presentation as PresentationIcon,
  Sun,
  X,
} from "lucide-react";
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { IconButton } from "../../../components/IconButton";
import type { Presentation } from "../../../ipc/bindings";
import { count } from "../../../lib/format";
import { isTyping } from "../../../lib/shortcuts";
import { useMedia } from "../../../lib/useMedia";
import { visibleText } from "../../../lib/visible";
import { useActions, useAppState } from "../../../state/hooks";
import type { Giving } from "../../../state/giving";
import styles from "./give.module.css";
import { Overview } from "./Overview";
import { StepView, type StepViewProps } from "./StepView";
import { usePresentationSize } from "./useScale";

/** A presentation in the whole window: one step at a time, for people who look at it from afar. */
export function GivePresentation({ confirm }: Pick<StepViewProps, "confirm">): ReactNode {
  const giving = useAppState(({ view }) => view.giving);
  const presentation = useAppState(({ live }) => live.presentations.find(({ id }) => id === giving?.presentation));
  usePresentationSize();
  if (!giving) return null;
  return (
    <div className={styles.give} onKeyDown={leaveField} data-presentation>
      <Head giving={giving} presentation={presentation} />
      <Body giving={giving} presentation={presentation} confirm={confirm} />
    </div>
  );
}

/** Escape in a field leaves the field, and not yet the presentation. */
function leaveField(event: KeyboardEvent<HTMLElement>): void {
  const { target } = event;
  if (event.key !== "Escape" || event.defaultPrevented || !isTyping(target)) return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
}

interface PartProps {
  readonly giving: Giving;
  readonly presentation: Presentation | undefined;
}

function Body({ giving, presentation, confirm }: PartProps & Pick<StepViewProps, "confirm">): ReactNode {
  if (giving.presentation === null) return <Choose />;
  const steps = presentation?.steps ?? [];
  const place = Math.min(giving.step, steps.length - 1);
  const step = steps[place];
  if (!step) {
    return (
      <Page>
        <h1 className={styles.title}>There is nothing to show</h1>
        <p>
          {presentation
            ? "This presentation has no steps yet. Leave it to add some."
            : "This presentation is no longer there."}
        </p>
      </Page>
    );
  }
  if (giving.overview) {
    return (
      <Page>
        <h1 className={styles.title}>All steps</h1>
        <Overview steps={steps} />
      </Page>
    );
  }
  return <StepView key={step.id} step={step} place={place} count={steps.length} confirm={confirm} />;
}

function Page({ children }: { readonly children: ReactNode }): ReactNode {
  const page = useRef<HTMLElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) page.current?.focus();
  }, []);
  return (
    <main ref={page} className={styles.stage} tabIndex={-1} data-focus="inset">
      <div className={styles.column}>{children}</div>
    </main>
  );
}

/** Which presentation, where nobody has said so. */
function Choose(): ReactNode {
  const actions = useActions();
  const presentations = useAppState(({ live }) => live.presentations);
  return (
    <Page>
      <h1 className={styles.title}>Which presentation?</h1>
      <ul className={styles.overview} aria-label="Presentations">
        {presentations.map(({ id, title, steps }) => (
          <li key={id}>
            <button
              type="button"
              className={styles.card}
              onClick={() => actions.give({ type: "choose", presentation: id })}
            >
              <PresentationIcon aria-hidden />
              <span className={styles.cardTitle} data-quoted>
                {visibleText(title)}
              </span>
              <span className={styles.cardFrom}>{count(steps.length, "step", "steps")}</span>
            </button>
          </li>
        ))}
      </ul>
    </Page>
  );
}

/** Quiet: what it is, where it stands, and what can be set. */
function Head({ giving, presentation }: PartProps): ReactNode {
  const actions = useActions();
  const theme = useAppState(({ live }) => live.settings.theme);
  const systemDark = useMedia("(prefers-color-scheme: dark)");
  const dark = theme === "dark" || (theme === "system" && systemDark);
  const steps = presentation?.steps.length ?? 0;
  return (
    <header className={styles.head}>
      <span className={styles.name} data-quoted>
        {visibleText(presentation?.title ?? "")}
      </span>
      {steps > 0 && (
        <span className={styles.where}>
          Step {Math.min(giving.step, steps - 1) + 1} of {steps}
        </span>
      )}
      <div className={styles.settings}>
        <IconButton label="Smaller type" icon={AArrowDown} onClick={() => void actions.zoomPresentation(-1)} />
        <IconButton label="Larger type" icon={AArrowUp} onClick={() => void actions.zoomPresentation(1)} />
        <IconButton
          label={dark ? "Light background" : "Dark background"}
          icon={dark ? Sun : Moon}
          onClick={() => void actions.updateSettings({ theme: dark ? "light" : "dark" })}
        />
        {steps > 0 && (
          <>
            <IconButton
              label="Notes"
              icon={NotebookText}
              aria-pressed={giving.notes}
              onClick={() => actions.give({ type: "notes", shown: !giving.notes })}
            />
            <IconButton
              label="All steps"
              icon={LayoutGrid}
              aria-pressed={giving.overview}
              onClick={() => actions.give({ type: "overview", open: !giving.overview })}
            />
          </>
        )}
        <Button icon={X} onClick={() => actions.leavePresentation()}>
          Leave
        </Button>
      </div>
    </header>
  );
}
