import { EditorView } from "@codemirror/view";
import axe from "axe-core";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { act, fill, fireEvent, render, screen, within } from "../../lib/render.test.helper";
import { createDocument, syntaxProblem, toText, type FormDocument } from "../../schema/document";
import { compactJson } from "../../schema/print";
import type { Problem } from "../../schema/problems";
import { ArgumentsForm } from "./ArgumentsForm";
// Loaded here, so that a failure to load it is not taken for a slow machine.
import "./CodeEditor";
import { ProblemBar } from "./ProblemBar";
import { focusProblem } from "./problemFocus";

HTMLCanvasElement.prototype.getContext = () => null;

let current: FormDocument;
/** Descriptions of values lost by changes other than typing. */
let removed: string[] = [];
const sent = () => compactJson(toText(current));

function Harness({ start, problems }: { start: FormDocument; problems: readonly Problem[] }) {
  const [doc, setDoc] = useState(start);
  const change = (next: FormDocument, lost?: string): void => {
    current = next;
    if (lost !== undefined) removed.push(lost);
    setDoc(next);
  };
  return <ArgumentsForm value={doc} onChange={change} idPrefix="t" problems={problems} />;
}

function show(schema: unknown, text?: string, problems: readonly Problem[] = []) {
  removed = [];
  current = createDocument(typeof schema === "string" ? schema : JSON.stringify(schema), text);
  return render(<Harness start={current} problems={problems} />);
}

const tool = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: "object",
  properties,
  ...more,
});
const type = (label: string | RegExp, text: string) => fill(screen.getByLabelText(label), text);
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));

describe("a problem", () => {
  const address = { type: "object", properties: { city: { type: "string" } } };
  const schema = tool({ where: address, list: { type: "array", items: { type: "string" } } });
  const missing: Problem = { instancePath: "/where", keyword: "required", message: "m", missing: "city" };
  const item: Problem = { instancePath: "/list/1", keyword: "type", message: "n" };
  const whole: Problem = { instancePath: "", keyword: "dependentRequired", message: "o" };
  const problems = [missing, item, whole];

  it("leads to its field, also into a group that was closed", () => {
    show(schema, '{"where":{},"list":["a","b"]}', problems);
    focusProblem("t", missing);
    expect(document.activeElement).toBe(screen.getByLabelText("city"));
    focusProblem("t", item);
    expect(document.activeElement).toBe(screen.getByLabelText("Item 2"));
    // A problem of the whole document has no field, so its text gets the focus.
    focusProblem("t", whole);
    expect(document.activeElement?.textContent).toContain("o");
    press(/^where/);
    expect(screen.queryByLabelText("city")).toBeNull();
    // Without waiting for a frame, as the next key press may come earlier.
    act(() => focusProblem("t", missing));
    expect(document.activeElement).toBe(screen.getByLabelText("city"));
  });

  it("is led to one after the other", () => {
    show(schema, '{"where":{},"list":["a","b"]}', problems);
    render(<ProblemBar idPrefix="t" problems={problems} of="the arguments" actions={null} />);
    const at = () => document.activeElement;
    press("Next problem");
    expect(at()).toBe(screen.getByLabelText("city"));
    press("Next problem");
    expect(at()).toBe(screen.getByLabelText("Item 2"));
    press("Next problem");
    press("Next problem");
    expect(at()).toBe(screen.getByLabelText("city"));
    // Following the shown problem leads to its field again.
    screen.getByLabelText("Item 2").focus();
    press(/where\/city/);
    expect(at()).toBe(screen.getByLabelText("city"));
  });
});

describe("a text field", () => {
  it("tells left out, empty, null and text apart", () => {
    show(tool({ city: { type: ["string", "null"] } }));
    expect(sent()).toBe("{}");
    expect(screen.getByLabelText<HTMLInputElement>("city").placeholder).toBe("Left out");
    press("Send city as empty string");
    expect(sent()).toBe('{"city":""}');
    expect(screen.getByLabelText<HTMLInputElement>("city").placeholder).toBe("Empty string");
    type("city", "Rome");
    press("Send null for city");
    expect(sent()).toBe('{"city":null}');
    press("Send a value for city instead of null");
    expect(sent()).toBe('{"city":"Rome"}');
    press("Leave out city");
    expect([sent(), removed]).toEqual(["{}", ["city removed"]]);
  });

  it("keeps line breaks that are pasted into one line", () => {
    show(tool({ city: { type: "string" } }));
    fireEvent.paste(screen.getByLabelText("city"), { clipboardData: { getData: () => "a\r\nb" } });
    expect(sent()).toBe('{"city":"a\\nb"}');
    const area = screen.getByLabelText<HTMLTextAreaElement>("city");
    expect([area.tagName, document.activeElement, area.selectionStart]).toEqual(["TEXTAREA", area, 3]);
    type("city", "ab");
    expect(document.activeElement).toBe(area);
  });

  it("keeps a password hidden that has several lines", () => {
    show(tool({ key: { type: "string", format: "password" } }));
    const paste = (text: string) =>
      fireEvent.paste(screen.getByLabelText("key"), { clipboardData: { getData: () => text } });
    // The input drops the line break at the end itself.
    expect(paste("x\n")).toBe(true);
    expect(paste("x\ny\n")).toBe(false);
    expect(sent()).toBe('{"key":"x\\ny"}');
    expect(screen.getByLabelText("key").className).toContain("masked");
    press("Show key");
    expect(screen.getByLabelText("key").className).not.toContain("masked");
  });

  it("does not touch text that a text box would change", () => {
    show(tool({ city: { type: "string" }, other: { type: "string" } }), '{"city":"a\\r\\nb"}');
    expect(screen.getByLabelText<HTMLTextAreaElement>("city").value).toBe('"a\\r\\nb"');
    type("other", "x");
    expect(sent()).toBe('{"city":"a\\r\\nb","other":"x"}');
  });
});

describe("a number field", () => {
  it("can send what is no number, and says so", () => {
    show(tool({ id: { type: "integer", minimum: 3 } }));
    type("id", "many");
    expect(sent()).toBe('{"id":"many"}');
    expect(screen.getByText(/sent as the string “many”/)).toBeTruthy();
    type("id", "2");
    expect(screen.getByText(/Outside what the schema allows: at least 3/)).toBeTruthy();
    type("id", "");
    expect(sent()).toBe("{}");
  });

  it("offers the default with its digits and sends it only when asked", () => {
    show('{"type":"object","properties":{"id":{"type":"number","default":9007199254740993}}}');
    expect(sent()).toBe("{}");
    press("Use default 9007199254740993 for id");
    expect(sent()).toBe('{"id":9007199254740993}');
  });

  it("does not offer a default that is none of the choices", () => {
    show(tool({ mode: { enum: ["fast", "slow"], default: "medium" } }));
    expect(screen.getByText(/not among the choices/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Use default/ })).toBeNull();
  });
});

describe("a boolean", () => {
  it("has three states", () => {
    show(tool({ dry: { type: "boolean" } }));
    const group = screen.getByRole("radiogroup", { name: "dry" });
    const radio = (name: string) => within(group).getByRole<HTMLInputElement>("radio", { name });
    expect(radio("Left out").checked).toBe(true);
    fireEvent.click(radio("No"));
    expect(sent()).toBe('{"dry":false}');
    fireEvent.click(radio("Yes"));
    expect(sent()).toBe('{"dry":true}');
    fireEvent.click(radio("Left out"));
    expect(sent()).toBe("{}");
  });
});

describe("a menu", () => {
  it("keeps a value that is not in it", () => {
    show(tool({ unit: { enum: ["km", "mi"] }, x: { type: "string" } }), '{"unit":"furlong"}');
    expect(screen.getByLabelText<HTMLSelectElement>("unit").selectedOptions[0]?.textContent).toContain(
      "not in the list",
    );
    type("x", "1");
    expect(sent()).toBe('{"unit":"furlong","x":"1"}');
    type("unit", "1");
    expect(sent()).toBe('{"unit":"mi","x":"1"}');
  });

  it("is searched when it is long", () => {
    const codes = Array.from({ length: 3000 }, (_, index) => `code ${index}`);
    show(tool({ code: { enum: codes } }));
    const input = screen.getByRole("combobox", { name: "code" });
    fill(input, "2999");
    expect(screen.getAllByRole("option").length).toBe(1);
    fireEvent.keyDown(input, { key: "Enter" });
    expect(sent()).toBe('{"code":"code 2999"}');
    expect(screen.queryByRole("listbox")).toBeNull();
  });

  it("can be left out again when it is long", () => {
    const codes = Array.from({ length: 30 }, (_, index) => `code ${index} left out`);
    show(tool({ code: { enum: codes } }), JSON.stringify({ code: codes[3] }));
    const input = screen.getByRole("combobox", { name: "code" });
    fireEvent.click(input);
    fireEvent.click(screen.getByRole("option", { name: "Left out" }));
    expect(sent()).toBe("{}");
    fill(input, "left");
    fireEvent.keyDown(input, { key: "Enter" });
    expect(sent()).toBe('{"code":"code 0 left out"}');
  });

  it.each([3, 2999, "another"])("opens on its value %s when it is long", (at) => {
    const codes = Array.from({ length: 3000 }, (_, index) => `code ${index}`);
    const value = JSON.stringify({ code: typeof at === "number" ? codes[at] : at });
    show(tool({ code: { enum: codes } }), value);
    const input = screen.getByRole("combobox", { name: "code" });
    fireEvent.keyDown(input, { key: "ArrowDown" });
    fireEvent.keyDown(input, { key: "Enter", isComposing: true });
    expect(screen.queryByRole("listbox")).not.toBeNull();
    fireEvent.keyDown(input, { key: "Enter" });
    expect(sent()).toBe(value);
  });

  it("ticks several", () => {
    show(tool({ tags: { type: "array", items: { enum: ["a", "b"] } } }));
    fireEvent.click(screen.getByRole("checkbox", { name: "b" }));
    fireEvent.click(screen.getByRole("checkbox", { name: "a" }));
    expect(sent()).toBe('{"tags":["b","a"]}');
    fireEvent.click(screen.getByRole("checkbox", { name: "b" }));
    expect(sent()).toBe('{"tags":["a"]}');
  });
});

describe("lists and maps", () => {
  it("add, move and remove items, and keep the focus on the button that moves", () => {
    show(tool({ l: { type: "array", items: { type: "string" } } }));
    press("Add l");
    expect(sent()).toBe('{"l":[]}');
    for (const text of ["x", "y", "z"]) {
      press("Add item to l");
      const items = screen.getAllByLabelText(/^Item \d$/);
      const last = items.at(-1);
      if (last) fill(last, text);
    }
    expect(sent()).toBe('{"l":["x","y","z"]}');
    press("Move Item 3 up");
    expect(sent()).toBe('{"l":["x","z","y"]}');
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Move Item 2 up");
    press("Remove Item 1");
    expect(removed).toEqual(["Item 1 removed"]);
    expect(sent()).toBe('{"l":["z","y"]}');
  });

  it("edit the names of a map", () => {
    show(tool({ env: { type: "object", additionalProperties: { type: "string" } } }));
    press("Add env");
    press("Add entry to env");
    expect(sent()).toBe('{"env":{"name":""}}');
    const name = screen.getByLabelText("Name of the field name of env");
    fill(name, "PATH");
    fireEvent.focusOut(name);
    type("PATH", "/bin");
    expect(sent()).toBe('{"env":{"PATH":"/bin"}}');
    press("Remove PATH");
    expect(sent()).toBe('{"env":{}}');
  });

  it("add no field with a name of the schema, and focus the field of a name that is typed", () => {
    show(tool({ name: { type: "string" } }));
    press("Add another field");
    expect(sent()).toBe('{"name2":null}');
    const name = screen.getByLabelText("Name of the field name2 of arguments");
    name.focus();
    fill(name, "name");
    fireEvent.keyDown(name, { key: "Enter" });
    expect(document.activeElement).toBe(screen.getByLabelText("name"));
  });

  it("show members that the schema does not know", () => {
    show(tool({ a: { type: "string" } }, { additionalProperties: false }), '{"b":[1.0],"a":"x"}');
    expect(screen.getByText("The schema does not define this field.")).toBeTruthy();
    type("a", "y");
    expect(sent()).toBe('{"b":[1.0],"a":"y"}');
  });
});

describe("a union", () => {
  it("opens on the branch that the value is in", () => {
    const kinds = ["Circle", "Square"].map((title) => tool({ kind: { const: title } }, { title, required: ["kind"] }));
    show(tool({ shape: { oneOf: kinds } }), '{"shape":{"kind":"Square"}}');
    expect(screen.getByLabelText<HTMLSelectElement>("shape").selectedOptions[0]?.textContent).toBe("Square");
  });

  it("keeps the control of the chosen alternative while a condition moves the others", () => {
    const word = { oneOf: [{ type: "string" }, { type: "string", format: "password" }] };
    const when = (oneOf: object[]) => ({ properties: { v: { oneOf } } });
    const [before, after] = [when([{ type: "number" }, word]), when([word, { type: "number" }])];
    show({ type: "object", if: { properties: { v: { maxLength: 3 } } }, then: before, else: after }, '{"v":"hus"}');
    const control = (index: number) =>
      screen.getAllByLabelText<HTMLInputElement>(/^v/)[index] ?? expect.fail("no control");
    fill(control(1), "1");
    control(2).focus();
    fill(control(2), "hush");
    expect(sent()).toBe('{"v":"hush"}');
    expect([control(2).type, document.activeElement]).toEqual(["password", control(2)]);
  });
});

describe("what a condition asks for", () => {
  it("comes and goes without losing what was typed", () => {
    show(
      tool(
        { how: { enum: ["card", "cash"] } },
        {
          if: { properties: { how: { const: "card" } }, required: ["how"] },
          then: { properties: { number: { type: "string" } }, required: ["number"] },
        },
      ),
    );
    expect(screen.queryByLabelText(/^number/)).toBeNull();
    type("how", "0");
    type(/^number/, "4111");
    type("how", "1");
    expect(sent()).toBe('{"how":"cash","number":"4111"}');
    expect(screen.getByLabelText("Name of the field number of arguments")).toBeTruthy();
  });
});

describe("what the form cannot show", () => {
  it("is a JSON field with the reason", () => {
    show(tool({ x: { $ref: "https://example.com/x" }, y: {} }));
    expect(screen.getByText(/outside itself; Sonde does not fetch it/)).toBeTruthy();
    type("x", '{"a": [1.0]');
    expect(syntaxProblem(current)).not.toBeNull();
    type("x", '{"a": [1.0]}');
    expect(sent()).toBe('{"x":{"a":[1.0]}}');
  });

  it("is shown as JSON when the value is of another kind, and can start over", () => {
    show(tool({ a: { type: "string" } }), '{"a":{"b":1.0}}');
    expect(screen.getByText(/This is an object, but the field takes a string/)).toBeTruthy();
    press("Reset a");
    expect(sent()).toBe('{"a":""}');
  });

  it("lets any field be sent as any JSON", () => {
    show(tool({ dry: { type: "boolean" } }));
    press("Edit dry as JSON");
    type("dry", '"maybe"');
    expect(sent()).toBe('{"dry":"maybe"}');
    press("Back to the field for dry");
    expect(screen.getByText(/This is a string, but the field takes a boolean/)).toBeTruthy();
  });

  it("is not wrong before anything is typed", () => {
    show(tool({ dry: { type: "boolean" }, n: { type: "integer" } }), '{"n":1}');
    press("Edit dry as JSON");
    expect(screen.getByLabelText<HTMLTextAreaElement>("dry").placeholder).toBe("Left out · any JSON");
    expect(screen.getByLabelText("dry").getAttribute("aria-invalid")).toBeNull();
    expect([sent(), syntaxProblem(current)]).toEqual(['{"n":1}', null]);
    press("Back to the field for dry");
    expect(screen.getByRole("button", { name: "Edit dry as JSON" })).toBeTruthy();
    expect(sent()).toBe('{"n":1}');
  });

  it("has buttons that say what they do", async () => {
    show(tool({ dry: { type: "boolean" } }));
    fireEvent.keyDown(document.body, { key: "Tab" });
    expect(screen.getByRole("button", { name: "Edit dry as JSON" }).dataset["tip"]).toBe("Edit dry as JSON");
  });

  it("has buttons that keep their places, and give the focus to what they change", () => {
    show(
      tool({ city: { type: ["string", "null"] }, list: { type: "array", items: { type: "string" } } }),
      '{"list":[]}',
    );
    const buttons = () =>
      [...screen.getByRole("toolbar", { name: "Actions for city" }).children].map((one) =>
        one.getAttribute("aria-label"),
      );
    const before = buttons();
    press("Send city as empty string");
    expect(buttons()).toEqual(before);
    expect(document.activeElement).toBe(screen.getByLabelText("city"));
    press("Edit city as JSON");
    expect(document.activeElement).toBe(screen.getByLabelText("city"));
    expect((document.activeElement as HTMLTextAreaElement).value).toBe('""');
    press("Add item to list");
    expect(document.activeElement).toBe(screen.getByLabelText("Item 1"));
  });

  it("has buttons that go with the focus to what takes their place", () => {
    const strings = { type: "array", items: { type: "string" } };
    const properties = {
      city: { type: ["string", "null"], default: "Rome" },
      flag: { type: "boolean" },
      list: strings,
    };
    show(tool(properties), '{"flag":true,"extra":"x"}');
    const at = () => document.activeElement;
    const button = (name: string) => screen.getByRole("button", { name });
    press(/^Use default/);
    expect(at()).toBe(screen.getByLabelText("city"));
    press("Send null for city");
    expect(at()).toBe(button("Send a value for city instead of null"));
    press("Send a value for city instead of null");
    expect(at()).toBe(screen.getByLabelText("city"));
    press("Leave out flag");
    expect(at()).toBe(screen.getByRole("radio", { name: "Left out" }));
    press("Add list");
    expect(at()).toBe(button("list"));
    press("Add item to list");
    press("Add item to list");
    press("Remove Item 1");
    expect(at()).toBe(screen.getByLabelText("Item 1"));
    press("Remove Item 1");
    expect(at()).toBe(button("Add item to list"));
    press("Leave out list");
    expect(at()).toBe(button("Add list"));
    press("Remove extra");
    expect(at()).toBe(button("Add another field"));
  });

  it("has buttons for more that go with the focus to it", () => {
    const list = { type: "array", items: { type: "string" } };
    const numbered = (name: string, length: number) =>
      Object.fromEntries(Array.from({ length }, (_, index) => [`${name}${index + 1}`, "x"] as const));
    const parts = Object.fromEntries(Object.keys(numbered("p", 42)).map((name) => [name, { type: "string" }]));
    const values = { list: Array.from({ length: 51 }, () => "x"), ...numbered("extra", 41) };
    show(tool({ list: { ...list, description: "long ".repeat(60) }, ...parts }), JSON.stringify(values));
    // Queries by role or label are slow among so many fields.
    const focusedBy = (text: string) => {
      const button = screen.getByText(text);
      button.focus();
      fireEvent.click(button);
      return document.activeElement?.id ?? "";
    };
    focusedBy("more");
    expect(document.activeElement?.textContent).toBe("less");
    expect(focusedBy("Show more of 3 fields that are left out")).toBe("t-field-p40");
    expect(focusedBy("Show 1 of 1 more items")).toBe("t-field-list.50");
    expect(focusedBy("Show more of 1 fields")).toBe("t-field.41");
  });

  it("is the whole form where the schema is no object schema", () => {
    show("[1, 2]");
    expect(screen.queryByRole("tab")).toBeNull();
    expect(screen.getByText(/The server's schema is an array, not a schema/)).toBeTruthy();
    expect(screen.getByLabelText("Arguments as JSON")).toBeTruthy();
  });
});

describe("the JSON view", () => {
  async function edit(text: string): Promise<void> {
    const content = await screen.findByRole("textbox", { name: "Arguments as JSON" });
    await expect.poll(() => document.querySelector(".cm-editor")).toBeTruthy();
    const view =
      EditorView.findFromDOM((document.querySelector<HTMLElement>(".cm-editor") ?? content) as HTMLElement) ??
      expect.fail("no editor");
    act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }));
  }
  const tab = (name: string) => fireEvent.click(screen.getByRole("tab", { name }));

  it("edits the same document, invalid text included", async () => {
    show(tool({ a: { type: "string" }, n: { type: "number" } }), '{ "n":1.00 }');
    tab("JSON");
    await edit('{ "n":1.00, "a":"x",');
    expect(toText(current)).toBe('{ "n":1.00, "a":"x",');
    expect(syntaxProblem(current)).not.toBeNull();
    tab("Form");
    expect(screen.getByText("The JSON is not valid")).toBeTruthy();
    press("Show the JSON");
    expect(toText(current)).toBe('{ "n":1.00, "a":"x",');
    await edit('{ "n":1.00, "a":"x" }');
    tab("Form");
    expect(screen.getByLabelText<HTMLInputElement>("a").value).toBe("x");
    expect(screen.getByLabelText<HTMLInputElement>("n").value).toBe("1.00");
    expect(toText(current)).toBe('{ "n":1.00, "a":"x" }');
  });

  it("can be left by going back to the last readable values", async () => {
    show(tool({ a: { type: "string" } }), '{"a":"kept"}');
    tab("JSON");
    await edit("{oops");
    tab("Form");
    press("Discard it and restore the last valid values");
    expect(sent()).toBe('{"a":"kept"}');
    expect(screen.getByLabelText<HTMLInputElement>("a").value).toBe("kept");
  });
});

describe("the validator's findings", () => {
  const problem = (instancePath: string, keyword: string, message: string, missing?: string): Problem => ({
    instancePath,
    keyword,
    message,
    missing,
  });

  it("stand at their fields, missing ones at the field that is missing", () => {
    show(
      tool({ o: tool({ n: { type: "number" }, must: { type: "string" } }, { required: ["must"] }) }),
      '{"o":{"n":1}}',
      [
        problem("/o/n", "minimum", "1 is too small"),
        problem("/o", "required", "must is missing", "must"),
        problem("/gone/3", "type", "stray"),
        problem("", "minProperties", "too few"),
      ],
    );
    const n = screen.getByLabelText("n");
    expect(n.getAttribute("aria-invalid")).toBe("true");
    expect(described(n)).toContain("1 is too small");
    expect(described(screen.getByLabelText(/^must/))).toContain("must is missing");
    const strays = screen.getByText("stray").closest("ul");
    expect(strays?.textContent).toContain("too few");
  });

  it("are counted on a closed group and all shown on a field without inner fields", () => {
    show(tool({ j: {}, o: tool({ n: { type: "number" } }) }), '{"j":{"a":1},"o":{"n":1}}', [
      problem("/j/a", "type", "inner"),
      problem("/o/n", "type", "hidden"),
    ]);
    expect(described(screen.getByLabelText("j"))).toContain("inner");
    press(/^o$/);
    expect(screen.queryByText("hidden")).toBeNull();
    expect(screen.getByText("1 problem")).toBeTruthy();
  });

  function described(element: HTMLElement): string {
    return (element.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join(" ");
  }
});

describe("large schemas", () => {
  it("draw a part and find the rest", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`field${index}`, { type: "string" }]),
    );
    const { container } = show(tool(properties, { required: ["field900"] }), '{"field950":"x"}');
    expect(container.querySelectorAll("input").length).toBeLessThan(60);
    expect(screen.getByLabelText(/^field900/)).toBeTruthy();
    expect(screen.getByLabelText("field950")).toBeTruthy();
    type("Find a field of arguments", "field77");
    type("field777", "y");
    expect(sent()).toBe('{"field777":"y","field950":"x"}');
  });

  it("end where alternatives refer to themselves", () => {
    show(
      tool(
        { v: { $ref: "#/$defs/v" } },
        { $defs: { v: { oneOf: [{ type: "string", minLength: 3 }, { $ref: "#/$defs/v" }] } } },
      ),
      '{"v":"x"}',
    );
    for (let level = 0; level < 12; level++) {
      const pickers = screen.getAllByRole<HTMLSelectElement>("combobox");
      const last = pickers.at(-1);
      if (last) fill(last, "1");
    }
    expect(screen.getByText(/refer to themselves/)).toBeTruthy();
    expect(sent()).toBe('{"v":"x"}');
  });

  it("follow a schema into itself only as far as there are values", () => {
    show({
      $ref: "#/$defs/node",
      $defs: { node: tool({ name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } }) },
    });
    press("Add children");
    press("Add item to children");
    expect(screen.getAllByLabelText("name").length).toBe(2);
    expect(sent()).toBe('{"children":[{}]}');
  });
});

describe("accessibility", () => {
  it("axe finds nothing in a form with every kind of field", async () => {
    const { container } = show(
      tool(
        {
          text: { type: "string", description: "Some text", minLength: 2, examples: ["ab"] },
          long: { type: "string", format: "multiline" },
          when: { type: "string", format: "date-time" },
          secret: { type: "string", format: "password" },
          count: { type: "integer", minimum: 1, default: 3 },
          flag: { type: "boolean", deprecated: true },
          unit: { enum: ["a", "b"] },
          code: { enum: Array.from({ length: 40 }, (_, index) => `c${index}`) },
          fixed: { const: "v" },
          tags: { type: "array", items: { enum: ["x", "y"] } },
          list: { type: "array", items: { type: "string" } },
          pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
          map: { type: "object", additionalProperties: { type: "number" } },
          union: { oneOf: [{ type: "string" }, { type: "object", properties: { a: { type: "string" } } }] },
          any: {},
          maybe: { type: ["string", "null"] },
        },
        { required: ["text"] },
      ),
      '{"list":["a","b"],"pair":["a",1],"map":{"k":1},"union":{"a":"x"},"any":[1],"maybe":null,"extra":true}',
      [{ instancePath: "/list/0", keyword: "minLength", message: "too short" }],
    );
    const result = await axe.run(container, { rules: { "color-contrast": { enabled: false } } });
    expect(
      result.violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(" ")}`),
    ).toEqual([]);
  });
});
