const FONTS = ["13px Inter", '12px "JetBrains Mono"'];
/** Milliseconds after which text is measured without its fonts. */
const LIMIT = 1_000;

let coming: Promise<unknown> | null = null;

/** Resolves once the fonts of the window are there, or cannot be had in time. */
export function fontsThere(): Promise<unknown> {
  const late = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LIMIT));
  return (coming ??= Promise.race([Promise.allSettled(FONTS.map((font) => document.fonts.load(font))), late()]));
}
