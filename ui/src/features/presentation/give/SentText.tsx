import { useState, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Marked } from "../../../components/Marked";
import { number } from "../../../lib/format";

/** A text with marks for what cannot be seen in it; of a longer one the beginning, and all of it on request. */
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
