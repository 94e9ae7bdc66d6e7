import * as icons from "lucide-react";
import { useEffect, useRef, type ComponentProps, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import type { Presentation } from "../../../ipc/bindings";
import { once } from "../../../lib/once";
import { listen } from "../../../lib/listen";
import { isTyping, matchesKeys } from "../../../lib/shortcuts";
import { isBegun, isTouched, type Giving, type Opened } from "../../../state/giving";
import { useActions, useAppState, useIsDark } from "../../../state/hooks";
import { presentationActions } from "../../../state/presentations";
import { Check, type CheckProps } from "./Check";
import { Choose } from "./Choose";
import styles from "./give.module.css";
import { FIELD, nextIn } from "./next";
import { Overview } from "./Overview";
import { Keys, MayLeave, MayStartOver, type KeyWords } from "./Panels";
import { Move, StepView } from "./StepView";
import { usePresentationSize } from "./useScale";
import { presentationTitle } from "../../../state/typedPresentations";

export interface GivePresentationProps extends Pick<CheckProps, "confirm"> {
  /** Keyboard shortcuts, listed on request. */
  readonly keys: readonly KeyWords[];
}

/**
 * A presentation in the whole window: one step at a time, large enough to be read from a distance.
 *
 * Sonde's own text has no word of `ui/tests/protocolTerms.json`. Text of the server or the presenter is marked with
 * `data-quoted`, and the page that only the presenter reads with `data-presenter`.
 */
export function GivePresentation({ confirm, keys }: GivePresentationProps): ReactNode {
  const giving = useAppState(({ view }) => view.giving);
  const presentation = useAppState(({ live }) => live.presentations.find(({ id }) => id === giving?.presentation));
  usePresentationSize();
  useEffect(() => listen(document, { keydown: pressNext }), []);
  if (!giving) return null;
  return (
    <div className={styles.give} onKeyDownCapture={pressOnce} onKeyDown={onKeyDown} data-presentation>
      <Head giving={giving} presentation={presentation} />
      {giving.open === "keys" && <Keys keys={keys} />}
      {giving.open === "leave" && <MayLeave />}
      {giving.open === "over" && <MayStartOver />}
      <Body giving={giving} presentation={presentation} confirm={confirm} />
      {giving.open === "blank" && <div className={styles.blank} data-blank />}
    </div>
  );
}

/** Ignores key repeat on buttons: the next button takes the place and the focus of the pressed one. */
function pressOnce(event: KeyboardEvent<HTMLElement>): void {
  const { repeat, key, target } = event;
  if (repeat && key === "Enter" && target instanceof HTMLButtonElement) event.preventDefault();
}

/** Presses the marked button on Enter if no control has the focus, as after a click on an empty area. */
function pressNext(event: globalThis.KeyboardEvent): void {
  const { target } = event;
  if (!matchesKeys(event, "Enter") || event.defaultPrevented || !(target instanceof Element)) return;
  if (!target.matches("body, [data-presentation] > main")) return;
  const presentation = document.querySelector("[data-presentation]");
  // An open question comes first, and is not answered by a key meant for something else.
  const question = presentation?.querySelector<HTMLElement>("[role=alertdialog] button");
  const next = question ?? (presentation && nextIn(presentation));
  if (!next) return;
  event.preventDefault();
  if (event.repeat) return;
  if (question || next.matches(FIELD)) next.focus();
  else next.click();
}

/** Handles keys for the focused element before the presentation handles them. */
function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  leaveField(event);
  leaveBar(event);
  scrollSideways(event);
}

/** Scroll distance of an arrow key in an element that is too wide, in px. */
const SIDEWAYS = 80;
/** Least overflow that is worth scrolling, in px. */
const LEAST = 8;

/** Scrolls an element that is too wide by the arrow keys, instead of changing the step. */
function scrollSideways(event: KeyboardEvent<HTMLElement>): void {
  const { target, ctrlKey, altKey, metaKey, shiftKey } = event;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined || ctrlKey || altKey || metaKey || shiftKey || event.defaultPrevented) return;
  if (!(target instanceof HTMLElement) || target.tabIndex !== 0 || target.scrollWidth < target.clientWidth + LEAST)
    return;
  if (isTyping(target) || !/auto|scroll/.test(getComputedStyle(target).overflowX)) return;
  event.preventDefault();
  target.scrollLeft += by * SIDEWAYS;
}

/** Leaves the field on Escape, but not the presentation. */
function leaveField(event: KeyboardEvent<HTMLElement>): void {
  const { target } = event;
  if (event.key !== "Escape" || event.defaultPrevented || !isTyping(target)) return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
}

/** Moves the focus from the top bar to the marked button on Ctrl+Enter, which then runs the step. */
function leaveBar({ target, currentTarget, key, ctrlKey, metaKey }: KeyboardEvent<HTMLElement>): void {
  if (key !== "Enter" || !(ctrlKey || metaKey) || !(target instanceof Element) || !target.closest("header")) return;
  nextIn(currentTarget)?.focus();
}

interface PartProps {
  readonly giving: Giving;
  readonly presentation: Presentation | undefined;
}

function Body({ giving, presentation, confirm }: PartProps & Pick<CheckProps, "confirm">): ReactNode {
  if (giving.presentation === null) {
    return (
      <Page>
        <h1 className={styles.title}>Which presentation?</h1>
        <Choose />
      </Page>
    );
  }
  const steps = presentation?.steps ?? [];
  if (steps.length === 0) {
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
  if (presentation && giving.checking && giving.open !== "steps") {
    return <Check presentation={presentation} begun={isBegun(giving)} confirm={confirm} />;
  }
  const step = steps[giving.step];
  if (giving.open === "steps") {
    return (
      <Page>
        <h1 className={styles.title}>All steps</h1>
        <Overview steps={steps} />
      </Page>
    );
  }
  if (!step) return <End />;
  return <StepView key={step.id} step={step} place={giving.step} count={steps.length} />;
}

/** Page after the last step. */
function End(): ReactNode {
  const actions = useActions().get(presentationActions);
  return (
    <>
      <Page>
        <h1 className={styles.title}>That was the last step</h1>
        <div className="wrap gapS2">
          <Button large icon={icons.RotateCcw} onClick={once(() => actions.give({ type: "over" }))}>
            Start over
          </Button>
          <Button large icon={icons.X} onClick={once(() => actions.leavePresentation())}>
            Leave
          </Button>
        </div>
      </Page>
      <footer className={styles.footer} data-uncovered>
        <Move by={-1} />
      </footer>
    </>
  );
}

function Page({ children }: { readonly children: ReactNode }): ReactNode {
  const page = useRef<HTMLElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) page.current?.focus();
  }, []);
  return (
    <main ref={page} className="fit scrolls noRing" tabIndex={-1} data-focus="inset">
      <div className={styles.column}>{children}</div>
    </main>
  );
}

/** Returns the focus to the marked button after a click in the top bar. Opened panels may still take it. */
function giveBack({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  if (!(target instanceof Element) || !target.closest("button")) return;
  const presentation = currentTarget.closest("[data-presentation]");
  if (presentation) nextIn(presentation)?.focus();
}

/** Top bar: the title, the current step, and the settings. */
function Head({ giving, presentation }: PartProps): ReactNode {
  const actions = useActions().get(presentationActions);
  const windowIsDark = useIsDark();
  const dark = giving.dark ?? windowIsDark;
  // Before the presentation begins, no step is shown.
  const steps = giving.checking ? 0 : (presentation?.steps.length ?? 0);
  /** Opens a panel, or closes it if it is open. */
  const open = (what: Opened): void => actions.give({ type: "open", what: giving.open === what ? null : what });
  return (
    <header className={styles.head} onClick={giveBack}>
      <span className="ellipsis shrink unbroken" data-quoted>
        {presentation && presentationTitle(presentation.title)}
      </span>
      {steps > 0 && (
        <span className={styles.where}>{giving.step < steps ? `Step ${giving.step + 1} of ${steps}` : "The end"}</span>
      )}
      <div className="row rigid gap4 pushRight">
        <HeadButton
          label="Keys"
          icon={icons.CircleQuestionMark}
          aria-pressed={giving.open === "keys"}
          onClick={() => open("keys")}
        />
        <HeadButton label="Full screen" icon={icons.Fullscreen} onClick={() => actions.toggleFullScreen()} />
        <HeadButton
          label="Smaller type"
          word="Smaller"
          icon={icons.AArrowDown}
          onClick={() => void actions.zoomPresentation(-1)}
        />
        <HeadButton
          label="Larger type"
          word="Larger"
          icon={icons.AArrowUp}
          onClick={() => void actions.zoomPresentation(1)}
        />
        <HeadButton
          label={dark ? "Light background" : "Dark background"}
          word={dark ? "Light" : "Dark"}
          icon={dark ? icons.Sun : icons.Moon}
          onClick={() => actions.give({ type: "background", dark: !dark })}
        />
        {steps > 0 && (
          <>
            {giving.step < steps && (
              <HeadButton
                label="Notes"
                icon={icons.NotebookText}
                aria-pressed={giving.notes}
                onClick={() => actions.give({ type: "notes", shown: !giving.notes })}
              />
            )}
            <HeadButton
              label="All steps"
              icon={icons.LayoutGrid}
              aria-pressed={giving.open === "steps"}
              onClick={() => open("steps")}
            />
            <HeadButton
              label="Start over"
              icon={icons.RotateCcw}
              disabled={!isBegun(giving)}
              onClick={() => (isTouched(giving) ? open("over") : actions.give({ type: "over" }))}
            />
          </>
        )}
        <HeadButton label="Leave" icon={icons.X} onClick={() => actions.leavePresentation()} />
      </div>
    </header>
  );
}

interface HeadButtonProps extends Omit<ComponentProps<"button">, "aria-label" | "children"> {
  /** Accessible name, which begins with the word. */
  readonly label: string;
  readonly icon: icons.LucideIcon;
  /** Text below the icon, so that no tooltip has to cover the step. */
  readonly word?: string;
}

/** A button of the top bar. */
function HeadButton({ label, icon: Icon, word = label, ...rest }: HeadButtonProps): ReactNode {
  return (
    <button type="button" className={styles.headButton} aria-label={label} {...rest}>
      <Icon aria-hidden />
      <span>{word}</span>
    </button>
  );
}
