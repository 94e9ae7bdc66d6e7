import fc from "fast-check";

/** Seconds for a target. */
const SECONDS = Number(process.env["SONDE_FUZZ_SECONDS"] ?? 10);
/** Repeats the runs of this seed. */
const SEED = process.env["SONDE_FUZZ_SEED"];

/** Looks for an input that `check` throws for, until the time is over. */
export async function fuzz<T>(target: string, inputs: fc.Arbitrary<T>, check: (input: T) => void): Promise<void> {
  const property = fc.asyncProperty(inputs, async (input) => {
    check(input);
    // Whoever runs this is to hear from it now and then.
    await new Promise(setImmediate);
  });
  const result = await fc.check(property, {
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: SECONDS * 1000,
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
  });
  process.stdout.write(`${target}: ${result.numRuns} runs, seed ${result.seed}\n`);
  if (result.failed) throw new Error(fc.defaultReportMessage(result));
}
