const FONTS = ["13px Inter", '12px "JetBrains Mono"'];
/** Milliseconds to wait for the fonts before text is measured without them. */
const FONT_TIMEOUT = 1_000;

let coming: Promise<unknown> | null = null;

/** Resolves once the fonts of the window are loaded, or after the timeout. */
export function fontsThere(): Promise<unknown> {
  const late = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, FONT_TIMEOUT));
  return (coming ??= Promise.race([Promise.allSettled(FONTS.map((font) => document.fonts.load(font))), late()]));
}
