import { useState, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Marked } from "../../../components/Marked";
import { number } from "../../../lib/format";

/** A text with its invisible characters marked; a longer one is cut, and shown whole on request. */
export function SentText({ text, most }: { readonly text: string; readonly most: number }): ReactNode {
  const [all, setAll] = useState(false);
  if (text === "") return <span>Empty</span>;
  if (all || text.length <= most) {
    return (
      <bdi data-quoted>
        <Marked text={text} lines />
      </bdi>
    );
  }
  return (
    <>
      <bdi data-quoted>
        <Marked text={`${text.slice(0, most)}…`} lines />
      </bdi>{" "}
      <Button small onClick={() => setAll(true)}>
        Show all ({number(text.length)} characters)
      </Button>
    </>
  );
}
