import type { ReactNode } from "react";

import { drawing } from "../../components/chart/drawing";
import { Picture, PICTURE } from "../../components/chart/Picture";
import type { OperationView } from "../../ipc/bindings";
import { duration } from "../../lib/format";
import { useFetched } from "../../state/queries";
import { factsOf, factsText, levels } from "./progressRates";
import styles from "./runs.module.css";

/** Rates of a run's progress over its time. */
export function ProgressRates({ operation }: { readonly operation: OperationView }): ReactNode {
  const { operation: number, progress, state } = operation;
  const fetched = useFetched(`${number}`, `${drawing(progress?.count ?? 0)} ${state}`, (backend) =>
    backend.call("progress_rates", { operation: number }),
  );
  const rates = fetched.value ?? [];
  const facts = factsOf(rates);
  if (fetched.state === "failed") return <p className="note">{fetched.error.message}</p>;
  if (facts === null) return <p className="note">{fetched.state === "loading" ? "Reading…" : "No rate is known."}</p>;
  const took = duration(rates.at(-1)?.to ?? 0);
  const text = factsText(facts);
  return (
    <Picture
      title={text}
      says={`Rate of progress over ${took}: ${text.replaceAll(" / s", " per second").replaceAll(" ·", ",")}`}
      from="First progress"
      to={`after ${took}`}
      margin={2}
      stretched
    >
      <path className={styles.rates} d={levels(rates, facts.most, PICTURE.width, PICTURE.height)} />
    </Picture>
  );
}
