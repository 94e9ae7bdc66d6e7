import { Callout } from "../../components/Callout";
import { Disclosure } from "../../components/Disclosure";
import { HelpButton } from "../../components/HelpButton";
import { Prose } from "../../components/Prose";
import { Sentences } from "../../components/Sentences";
import { SpecButton } from "../../components/SpecButton";
import type { AuthProblem } from "../../ipc/bindings";

/**
 * Problem of a sign-in that failed, or of one that succeeded, in plain words; the technical detail is one click below.
 */
export function ProblemView({ problem, failed }: { problem: AuthProblem; failed: boolean }) {
  // A cancellation by the user is no error.
  const level = !failed ? "warning" : problem.code === "cancelled" ? "info" : "error";
  return (
    <Callout level={level} title={problem.title}>
      {problem.cause !== "" && (
        <p>
          <Prose text={problem.cause} />
        </p>
      )}
      <Sentences of={problem.advice} />
      {problem.detail !== null && (
        <Disclosure summary="Technical details">
          <pre className="selectable asWritten">{problem.detail}</pre>
        </Disclosure>
      )}
      <div className="wrap muted gap4x8 marginTop4">
        <code>{problem.code}</code>
        <HelpButton about="authentication" code={problem.code} sentence={problem.title} />
        {problem.spec && <SpecButton spec={problem.spec} />}
      </div>
    </Callout>
  );
}
