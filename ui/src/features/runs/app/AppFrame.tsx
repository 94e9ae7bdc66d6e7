import { Maximize2, Minimize2 } from "lucide-react";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Callout } from "../../../components/Callout";
import { Marked } from "../../../components/Marked";
import type { OpenedApp, OperationView, ToolDetail } from "../../../ipc/bindings";
import { AppHost, LEAST_HEIGHT, type HostState } from "../../../lib/apps/host";
import { KeyboardWatch } from "../../../lib/apps/keyboardWatch";
import { isPlain, type Json } from "../../../lib/apps/message";
import type { AppRequest, DisplayMode } from "../../../lib/apps/request";
import { cx } from "../../../lib/cx";
import { commitThen } from "../../../lib/focus";
import { listen } from "../../../lib/listen";
import { valueIn } from "../../../lib/valueIn";
import { whileWanted } from "../../../lib/whileWanted";
import { useBackend, useIsDark, useServer } from "../../../state/hooks";
import { useHeldOrder } from "../heldOrder";
import styles from "./app.module.css";
import { AppQuestions } from "./AppQuestions";
import { introduction, localeContext, placeContext, themeContext } from "./context";
import { answerOf, LARGEST_RESULT, useServing } from "./useServing";

export interface AppFrameProps {
  readonly operation: OperationView;
  readonly tool: ToolDetail;
  readonly app: OpenedApp;
  readonly url: string;
  /** Sends the arguments in pieces first, as while a model writes them. */
  readonly inPieces: boolean;
  /** Handles the app's request to be closed. */
  readonly onClose: () => void;
  /** Takes a function to run before the app is removed; `null` once it is gone. */
  readonly onLeave: (leave: (() => Promise<void>) | null) => void;
}

/** Time for an app to send its first message before its silence is reported, in ms. */
const SILENCE_MS = 5_000;

/** Browser features denied to every app. */
const NO_FEATURES = [
  "camera",
  "microphone",
  "geolocation",
  "clipboard-read",
  "clipboard-write",
  "display-capture",
  "fullscreen",
  "autoplay",
]
  .map((feature) => `${feature} 'none'`)
  .join("; ");

/** An app in its frame, which has an opaque origin and may only run scripts. */
export function AppFrame({ operation, tool, app, url, inPieces, onClose, onLeave }: AppFrameProps): ReactNode {
  const { server, operation: number, state, outcome, arguments: args } = operation;
  const backend = useBackend();
  useHeldOrder();
  const frame = useRef<HTMLIFrameElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<DisplayMode>("inline");
  const [shown, setShown] = useState<HostState | null>(null);
  const [silent, setSilent] = useState(false);
  const dark = useIsDark();

  const modeNow = useRef<DisplayMode>("inline");
  const host = useRef<AppHost>(null);
  const show = (wanted: DisplayMode): void => {
    modeNow.current = wanted;
    setMode(wanted);
  };
  const { questions, words, serve } = useServing(server, {
    mode: () => modeNow.current,
    allows: (wanted) => host.current?.allows(wanted) ?? false,
    show,
  });
  const leaveBy = useEffectEvent(onLeave);
  const closeBy = useEffectEvent(onClose);
  const serveNow = useEffectEvent((request: AppRequest) => serve(request));
  const sizes = (): { readonly width: number; readonly height: number } => ({
    width: frame.current?.clientWidth ?? 0,
    height: frame.current?.clientHeight ?? 0,
  });
  const introduce = useEffectEvent((): Json => introduction(app, tool, dark, { mode: modeNow.current, ...sizes() }));
  const placeNow = useEffectEvent((): Json => placeContext({ mode: modeNow.current, ...sizes() }));

  // Registered before anything else, as the page may send messages as soon as it is loaded.
  useLayoutEffect(() => {
    const record = (entry: "sent" | "received" | "note", text: string): void => {
      backend.call("record_app", { app: app.app, entry, text }).catch(() => undefined);
    };
    const made: AppHost = new AppHost({
      // The page has an opaque origin; no other page was ever loaded into the frame.
      post: (message) => frame.current?.contentWindow?.postMessage(message, "*"),
      record,
      serve: (request) => serveNow(request),
      introduce: () => introduce(),
      close: () => closeBy(),
      changed: () => setShown(made.state),
      now: () => performance.now(),
    });
    host.current = made;
    leaveBy(() => made.teardown("The app is closed."));
    const silence = setTimeout(() => {
      if (made.state.phase !== "loading") return;
      setSilent(true);
      record("note", "The app has not sent ui/initialize for 5 seconds. It gets neither its input nor its result.");
    }, SILENCE_MS);
    const hear = (event: MessageEvent): void => {
      if (frame.current !== null && event.source === frame.current.contentWindow) made.receive(() => event.data);
    };
    // The window's policy blocks an app that navigates its frame elsewhere.
    const refused = (event: SecurityPolicyViolationEvent): void => {
      if (event.effectiveDirective !== "frame-src") return;
      record(
        "note",
        `The app tried to load ${event.blockedURI.slice(0, 1000)} into its frame. The window's policy refused it.`,
      );
    };
    const ends = [listen(window, { message: hear }), listen(document, { securitypolicyviolation: refused })];
    return () => {
      // The frame is being removed, so a message would not arrive.
      made.drop("Its run is no longer shown.");
      clearTimeout(silence);
      ends.forEach((end) => end());
      host.current = null;
      leaveBy(null);
    };
  }, [backend, app.app]);

  // Only the window that loses the focus can observe it moving into the app's frame.
  useEffect(() => {
    const watched = frame.current;
    if (watched === null) return undefined;
    const watch = new KeyboardWatch();
    const focused = (): HTMLElement | null =>
      document.activeElement instanceof HTMLElement && document.activeElement !== watched
        ? document.activeElement
        : null;
    let last = focused();
    const remember = (): void => {
      last = focused() ?? last;
    };
    const press = (event: KeyboardEvent): void => watch.onKey(event.key, performance.now());
    const enter = (): void => watch.onEnter(performance.now());
    const lose = (): void => {
      if (document.activeElement !== watched || !watch.isTheft(watched.matches(":hover"), performance.now())) return;
      commitThen(
        () => host.current?.end("The app took the keyboard focus without a click. Show it again if you trust it."),
        () => last?.focus(),
      );
      // Deferred, as the app's own call would otherwise leave the window without the keyboard: WebKit treats the
      // removed frame as focused.
      setTimeout(() => {
        window.focus();
        last?.focus();
      });
    };
    const ends = [
      listen(document, { focusin: remember }),
      listen(window, { keydown: press }, { capture: true }),
      listen(watched, { pointerenter: enter }),
      listen(window, { blur: lose }),
    ];
    return () => ends.forEach((end) => end());
  }, []);

  // Sends the input of the tool.
  useEffect(() => {
    const input = async (): Promise<Json> =>
      args === null ? {} : objectOf(await backend.readBytes({ type: "arguments", operation: number }));
    return whileWanted(input(), (read) => host.current?.setInput(read, inPieces));
  }, [backend, args, number, app.app, inPieces]);

  // Sends the outcome of the tool.
  const over = state === "finished" ? (outcome?.type ?? null) : null;
  const size = outcome?.type === "result" ? outcome.bytes : 0;
  useEffect(() => {
    if (over === null) return undefined;
    if (size > LARGEST_RESULT) {
      host.current?.setCancelled("The result is larger than 5 MB, which is too large for an app.");
      return undefined;
    }
    if (over !== "result") {
      host.current?.setCancelled(over === "cancelled" ? "The run was cancelled." : "The run ended without a result.");
      return undefined;
    }
    const result = async (): Promise<Json> => answerOf(await backend.readBytes({ type: "answer", operation: number }));
    return whileWanted(
      result(),
      (read) => host.current?.setResult(read),
      () => host.current?.setCancelled("The result could not be read."),
    );
  }, [backend, over, size, number, app.app]);

  const asks = questions.length > 0;
  useEffect(() => host.current?.holdHeight(asks), [asks]);

  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else host.current?.contextChanged(themeContext(dark));
  }, [dark]);
  useEffect(() => listen(window, { languagechange: () => host.current?.contextChanged(localeContext()) }), []);
  useEffect(() => {
    const watched = frame.current;
    if (watched === null) return undefined;
    let last = "";
    const observer = new ResizeObserver(() => {
      const place = placeNow();
      const text = JSON.stringify(place);
      if (last !== "" && last !== text) host.current?.contextChanged(place);
      last = text;
    });
    observer.observe(watched);
    return () => observer.disconnect();
  }, []);

  // The pane of the runs clips its content; the top layer of the page does not. The frame stays in place in the
  // document, as moving it would load its page again.
  useLayoutEffect(() => {
    const element = box.current;
    if (mode !== "fullscreen" || element === null) return undefined;
    element.popover = "manual";
    element.showPopover();
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      show("inline");
    };
    const stop = listen(window, { keydown: escape }, { capture: true });
    return () => {
      stop();
      element.hidePopover();
      element.popover = null;
    };
  }, [mode]);

  const loads = useRef(0);
  const loaded = (): void => {
    loads.current += 1;
    // The address of the page works only once.
    if (loads.current > 1) host.current?.end("The app’s page is gone. Reload the app to start over.");
  };
  const ended = shown?.phase === "ended" ? shown.ended : null;
  const name = shown?.name ?? "";
  const of = useServer(server)?.config.name ?? "";
  const large = mode === "fullscreen";
  const canBeLarge = shown?.modes?.includes("fullscreen") ?? true;
  return (
    <div ref={box} className={cx("stack shrink strongBox rounded onSide plain gap0", large && styles.large)}>
      <div className="wrap spread gapS1xS2 padS1xS2">
        <span className="note shrink breakable">
          {/* The server's name comes first, as an app chooses its own name and could imitate the end of this
              sentence. */}
          App of the server <Marked text={of} />
          {name !== "" && (
            <>
              , which calls itself “
              <Marked text={name} />”
            </>
          )}
          {(shown === null || shown.phase === "loading") &&
            (silent
              ? " · it has not sent ui/initialize, so it gets neither its input nor its result"
              : " · it has not said anything yet")}
        </span>
        <Button
          small
          icon={large ? Minimize2 : Maximize2}
          disabled={!large && (ended !== null || !canBeLarge)}
          title={large ? "Back to the run" : canBeLarge ? undefined : "The app does not support full size"}
          onClick={() => show(large ? "inline" : "fullscreen")}
        >
          {large ? "Leave full size" : "Full size"}
        </Button>
      </div>
      {ended !== null ? (
        <Callout level="warning" role="status" title="The app was ended.">
          {ended}
        </Callout>
      ) : (
        <iframe
          ref={frame}
          className={cx(styles.frame, app.prefers_border === false && styles.borderless)}
          title={`App ${tool.row.title ?? tool.row.name}`}
          src={url}
          // No origin to store anything in, and no other windows, forms, downloads or dialogs.
          sandbox="allow-scripts"
          allow={NO_FEATURES}
          referrerPolicy="no-referrer"
          style={large ? undefined : { height: shown?.height ?? LEAST_HEIGHT }}
          onLoad={loaded}
        />
      )}
      {/* Below the page, so that nothing in it moves and no click meant for it can give consent. */}
      <AppQuestions server={server} questions={ended === null ? questions : []} words={words} />
    </div>
  );
}

/** Parses the arguments as an object; returns an empty one for anything else. */
function objectOf(bytes: ArrayBuffer): Json {
  const value = valueIn(new TextDecoder().decode(bytes));
  return isPlain(value) ? value : {};
}
