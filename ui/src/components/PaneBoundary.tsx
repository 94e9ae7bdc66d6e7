import { Component, type ErrorInfo, type ReactNode } from "react";

import { Button } from "./Button";
import { Callout } from "./Callout";
import { CopyButton } from "./CopyButton";

export interface PaneBoundaryProps {
  /** Name of the pane in the report. */
  name: string;
  /** The pane is rendered again when this changes, for example when another tool is selected. */
  resetKey?: string | number | null;
  children: ReactNode;
}

interface BoundaryState {
  readonly error: unknown;
  readonly stack: string;
  readonly resetKey: string | number | null | undefined;
}

const healthy = { error: null, stack: "" };

/** Error boundary of a pane: the others keep working, and the error report can be copied. */
export class PaneBoundary extends Component<PaneBoundaryProps, BoundaryState> {
  override state: BoundaryState = { ...healthy, resetKey: this.props.resetKey };

  static getDerivedStateFromProps(props: PaneBoundaryProps, state: BoundaryState): Partial<BoundaryState> | null {
    return props.resetKey === state.resetKey ? null : { ...healthy, resetKey: props.resetKey };
  }

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error: error ?? new Error("nothing was thrown") };
  }

  override componentDidCatch(_error: unknown, info: ErrorInfo): void {
    this.setState({ stack: info.componentStack ?? "" });
  }

  override render(): ReactNode {
    const { error, stack } = this.state;
    if (error === null) return this.props.children;
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const report = `Sonde: the pane "${this.props.name}" failed\n\n${words}\n\nComponents:${stack}`;
    return (
      <div className="tall scrolls pad12">
        <Callout
          level="error"
          role="alert"
          title={`The pane "${this.props.name}" has failed.`}
          actions={
            <>
              <Button small onClick={() => this.setState(healthy)}>
                Show it again
              </Button>
              <CopyButton text={report} label="Copy report" />
            </>
          }
        >
          <p>This is a bug in Sonde, not in the server. Everything else keeps working.</p>
        </Callout>
      </div>
    );
  }
}
