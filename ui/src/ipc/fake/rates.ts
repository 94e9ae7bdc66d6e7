import type { ProgressRate } from "../bindings";

/** Progress rates of one run. The host merges those of a long run; the runs here are short. */
export class FakeRates {
  readonly all: ProgressRate[] = [];
  private last: { readonly at: number; readonly progress: number } | null = null;

  push(progress: number): void {
    const at = performance.now() * 1000;
    const { last } = this;
    this.last = { at, progress };
    if (last === null || this.all.length === 120) return;
    const from = this.all.at(-1)?.to ?? 0;
    const micros = Math.max(1, Math.round(at - last.at));
    const rate = progress < last.progress ? null : ((progress - last.progress) / micros) * 1_000_000;
    this.all.push({ from, to: from + micros, rate });
  }
}
