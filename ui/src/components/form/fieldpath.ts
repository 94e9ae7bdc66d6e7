/** A place in the arguments. Each place is one object, so that memoised fields can compare it. */
import { cached } from "../../lib/cached";
import type { Path, PathStep } from "../../schema/tree";

export class FieldPath {
  private readonly children = new Map<PathStep, FieldPath>();

  private constructor(
    readonly steps: Path,
    /** Part of element ids, unique and stable for each place. */
    readonly id: string,
  ) {}

  static root(idPrefix: string): FieldPath {
    return new FieldPath([], idPrefix);
  }

  /** Id of the button that adds an entry to the list or object here. */
  get adder(): string {
    return `${this.id}~add`;
  }

  /** Returns the place one step further inside: by a member's name, or an item's or member's position. */
  child(step: PathStep): FieldPath {
    const mark = typeof step === "number" ? `.${step}` : `-${escape(step)}`;
    return cached(this.children, step, () => new FieldPath([...this.steps, step], this.id + mark));
  }
}

/** Replaces characters with a meaning in ids or selectors by their code. */
function escape(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, (char) => `_${char.charCodeAt(0).toString(16)}_`);
}
