import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useLayoutEffect, useRef } from "react";
import type { JsonEditorProps } from "./PlainEditor";

/** Keys that the window handles: running, and leaving the editor with Tab. */
const WINDOW_KEYS = new Set(["Mod-Enter", "Tab", "Shift-Tab"]);

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--syntax-key)" },
  { tag: tags.string, color: "var(--syntax-string)" },
  { tag: tags.number, color: "var(--syntax-number)" },
  { tag: [tags.bool, tags.null], color: "var(--syntax-word)" },
]);

const theme = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--bg)", fontSize: "var(--mono-size)", maxHeight: "60vh" },
  "&.cm-focused": { outline: "none" },
  // Drawn over the line numbers, which have their own layer.
  "&.cm-focused::after": {
    position: "absolute",
    inset: "0",
    zIndex: "300",
    outline: "2px solid var(--focus)",
    outlineOffset: "-2px",
    pointerEvents: "none",
    content: '""',
  },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { minHeight: "160px", caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--bg-side)", color: "var(--text-2)", borderRight: "1px solid var(--line)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--bg-selected)",
  },
  ".cm-content ::selection": { backgroundColor: "transparent", color: "inherit" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--match)", color: "var(--text)" },
  ".cm-searchMatch": { backgroundColor: "var(--match)", color: "var(--text)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--match-current)" },
  ".cm-selectionMatch": { backgroundColor: "var(--accent-bg)" },
  ".cm-panels": { backgroundColor: "var(--bg-side)", color: "var(--text)" },
  ".cm-tooltip": { backgroundColor: "var(--bg)", color: "var(--text)", border: "1px solid var(--line-strong)" },
});

/** The packaged window only accepts styles with its nonce. */
function styleNonce(): Extension {
  // Hosts may use another nonce for scripts than for styles, so a style's nonce is preferred.
  const marked = ["style", "link", "script"]
    .map((tag) => document.querySelector<HTMLElement>(`${tag}[nonce]`))
    .find((element) => element !== null);
  const nonce = marked?.nonce || marked?.getAttribute("nonce") || "";
  return nonce === "" ? [] : EditorView.cspNonce.of(nonce);
}

/** CodeMirror editor with a controlled value. */
export default function CodeEditor(props: JsonEditorProps) {
  const { value, label, id, describedBy, problem, left } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const onChange = useRef(props.onChange);
  const start = useRef({ value, label, id, left });
  const settings = useRef(new Compartment());
  /** Reported texts that have not come back as `value` yet. */
  const reported = useRef<string[]>([]);
  useLayoutEffect(() => {
    onChange.current = props.onChange;
  });

  // Before painting, so that no key press is lost meanwhile.
  useLayoutEffect(() => {
    if (!host.current) return;
    const first = start.current;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: first.value,
        extensions: [
          styleNonce(),
          lineNumbers(),
          highlightSpecialChars(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightSelectionMatches(),
          json(),
          syntaxHighlighting(colours),
          theme,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            "aria-label": first.label,
            ...(first.id === undefined ? {} : { id: first.id }),
          }),
          keymap.of(
            [...defaultKeymap, ...historyKeymap, ...searchKeymap].filter((key) => !WINDOW_KEYS.has(key.key ?? "")),
          ),
          settings.current.of([]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((change) => change.isUserEvent("told"))) {
              const text = update.state.doc.toString();
              reported.current.push(text);
              onChange.current(text);
            }
          }),
        ],
      }),
    });
    view.current = editor;
    const selected = first.left?.current;
    if (first.left && selected) {
      first.left.current = null;
      const within = (place: number): number => Math.min(place, editor.state.doc.length);
      editor.dispatch({ selection: { anchor: within(selected.from), head: within(selected.to) } });
      editor.focus();
    }
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);

  useEffect(() => {
    const attributes: Record<string, string> = describedBy === undefined ? {} : { "aria-describedby": describedBy };
    view.current?.dispatch({ effects: settings.current.reconfigure(EditorView.contentAttributes.of(attributes)) });
  }, [describedBy]);

  useEffect(() => {
    // A text that comes back late is older than that in the editor and must not replace it.
    const echo = reported.current.indexOf(value);
    if (echo >= 0) {
      reported.current.splice(0, echo + 1);
      return;
    }
    const editor = view.current;
    if (!editor || sameText(editor.state.doc.toString(), value)) return;
    reported.current = [];
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value }, userEvent: "told" });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const from = problem ? Math.min(problem.offset, editor.state.doc.length) : 0;
    const marks = problem
      ? [
          {
            from,
            to: Math.min(from + 1, editor.state.doc.length),
            severity: "error" as const,
            message: problem.message,
          },
        ]
      : [];
    editor.dispatch(setDiagnostics(editor.state, marks));
  }, [problem]);

  return <div ref={host} />;
}

/** Compares texts regardless of line endings, as the editor joins lines with line feeds. */
function sameText(shown: string, value: string): boolean {
  return shown === value || shown === value.replace(/\r\n?/g, "\n");
}
