import { Bookmark, BookmarkPlus, Check, FlaskConical, ListOrdered, LockKeyhole } from "lucide-react";
import { useRef } from "react";

import { Button } from "../../../components/Button";
import { Menu } from "../../../components/Menu";
import type { ServerId } from "../../../ipc/bindings";
import { keysLabel } from "../../../lib/shortcuts";
import { useLater } from "../../../lib/useLater";
import { visibleText } from "../../../lib/visible";
import { checksIn } from "../../../state/checks";
import { useActions, useChecks, useHandler, useSelectedServer } from "../../../state/hooks";
import { savedInputActions, useSavedInputs } from "../../../state/savedInputs";
import { focusMark, focusNames, type Draft } from "../../../state/view";
import { pickedInput, readInputs } from "./pickedInput";

export interface InputMenuProps {
  readonly server: ServerId;
  readonly tool: string;
  readonly draft: Draft;
}

/** Limit of a tool's checks in its menu. */
const LISTED_CHECKS = 20;

/** Menu of a tool's saved inputs and checks, which fill in its form; the form's values can be saved. */
export function InputMenu({ server, tool, draft }: InputMenuProps) {
  const actions = useActions();
  const { fillFrom, fillFromCheck, openInputs, updateInput } = actions.get(savedInputActions);
  const inputs = useSavedInputs(server, tool);
  const checks = useChecks(server);
  const place = useRef<HTMLSpanElement>(null);
  const { input: filledWith } = draft;
  // Typing must not wait for the comparison.
  const document = useLater(draft.document);
  const read = readInputs(inputs);
  const { picked, changed } = pickedInput(read, document, filledWith);
  const isSelected = useSelectedServer() === server;
  const save = (): void => openInputs(server, { type: "save", tool, text: null });
  const update = (): void => {
    if (picked) void updateInput(picked.id);
  };
  const choose = (): void => {
    const button = place.current?.querySelector("button");
    button?.focus();
    button?.click();
  };
  useHandler("choose_input", choose, isSelected);
  useHandler("save_input", save, isSelected);
  useHandler("update_input", update, isSelected && picked !== null && changed);

  // The values of a presented file are among the saved inputs as well.
  const names = new Set(inputs.map((input) => input.name));
  const ofTool = checksIn(checks).filter((check) => check.tool === tool && !names.has(check.name));
  const readChecks = (): void => {
    if (checks === undefined) void actions.command("open_checks", { server });
  };

  const name = picked && visibleText(picked.name);
  const facts = [changed ? ", changed" : "", picked?.private === true ? ", kept in memory only" : ""].join("");
  return (
    <>
      {picked && changed && (
        <Button small title={`Save these values as “${name}”`} onClick={update}>
          Update
        </Button>
      )}
      <span ref={place} {...focusMark(focusNames.inputs)}>
        <Menu
          label={name === null ? "Saved inputs" : `Saved inputs: ${name}${facts}`}
          icon={picked?.private === true ? LockKeyhole : Bookmark}
          text={name === null ? "Saved inputs" : changed ? `${name} (changed)` : name}
          items={[
            ...inputs.map((input) => ({
              label: visibleText(input.name),
              icon: input.id === picked?.id ? Check : input.private ? LockKeyhole : undefined,
              onSelect: () => void fillFrom(input.id),
            })),
            ...(inputs.length > 0 ? (["separator"] as const) : []),
            { label: "Save these values…", icon: BookmarkPlus, shortcut: keysLabel("Mod+S"), onSelect: save },
            ...(inputs.length > 0
              ? [
                  {
                    label: "Rename, move or delete…",
                    icon: ListOrdered,
                    onSelect: () => openInputs(server, { type: "list" as const, tool }),
                  },
                ]
              : []),
            ...(ofTool.length > 0 ? (["separator"] as const) : []),
            ...ofTool.slice(0, LISTED_CHECKS).map((check) => ({
              label: visibleText(check.name),
              icon: FlaskConical,
              onSelect: () => void fillFromCheck(server, check),
            })),
          ]}
          onOpen={readChecks}
        />
      </span>
    </>
  );
}
