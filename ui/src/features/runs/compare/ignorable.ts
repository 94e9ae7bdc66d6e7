/** One step of a shown path: `.key`, `[0]` or `["any key"]`. */
const PATH_STEP = /\.([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gy;

/** Steps of a shown path, such as `result.content[0].text`; `null` if it is not one. */
function stepsOf(path: string): readonly string[] | null {
  const whole = path.startsWith("[") ? path : `.${path}`;
  const steps: string[] = [];
  let end = 0;
  for (const match of whole.matchAll(PATH_STEP)) {
    const [step, key, index, quoted] = match;
    steps.push(quoted === undefined ? (key ?? index ?? "") : (JSON.parse(quoted) as string));
    end = match.index + step.length;
  }
  return end === whole.length ? steps : null;
}

/**
 * Returns the JSON Pointer, within the result, of a difference that a check can ignore; `null` for the whole result and
 * for differences outside of it. The pointer continues into JSON within a text.
 */
export function ignorable(path: string): string | null {
  const [root, ...steps] = stepsOf(path) ?? [];
  if (root !== "result" || steps.length === 0) return null;
  return steps.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Returns the pointer with `*` in place of each index; `null` if it has no index. */
export function ofEveryItem(pointer: string): string | null {
  const every = pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return every === pointer ? null : every;
}
