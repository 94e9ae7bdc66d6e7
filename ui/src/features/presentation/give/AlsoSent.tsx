import { useId, useMemo, useState, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import type { FormDocument } from "../../../schema/document";
import { sentUnshown } from "./sentValues";
import styles from "./give.module.css";
import { SentList } from "./SentList";

/** Limit of characters per value and of values shown at first. */
const MOST_TEXT = 600;
const MOST_VALUES = 50;

/** Lists values that a run sends but the form does not show, so that nothing is sent unseen. */
export function AlsoSent({ document }: { readonly document: FormDocument }): ReactNode {
  const values = useMemo(() => sentUnshown(document), [document]);
  const [all, setAll] = useState(false);
  const title = useId();
  if (values.length === 0) return null;
  const shown = all ? values : values.slice(0, MOST_VALUES);
  return (
    <section className="stack gapS2 shrink padS3 warnBox rounded" aria-labelledby={title}>
      <h2 id={title} className="normal strong">
        Also sent
      </h2>
      <SentList values={shown} most={MOST_TEXT} className={styles.alsoValues} />
      {shown.length < values.length && (
        <div>
          <Button small onClick={() => setAll(true)}>
            Show all ({values.length} values)
          </Button>
        </div>
      )}
    </section>
  );
}
