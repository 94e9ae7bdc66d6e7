import { useEffect, useState } from "react";

import { sourceColours } from "./sourceColours";
import type { SourceLanguage } from "./sourceLanguage";
import type { Token } from "./tokens";

interface Found {
  readonly text: string;
  readonly language: SourceLanguage;
  readonly lines: readonly (readonly Token[])[] | null;
}

/** Returns the colours of each line of source code once they are known; until then the code is shown without. */
export function useSourceTokens(
  text: string | null,
  language: SourceLanguage | null,
): readonly (readonly Token[])[] | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (text === null || language === null) return undefined;
    let gone = false;
    void sourceColours
      .lines(text, language, () => !gone)
      .then((lines) => {
        if (!gone) setFound({ text, language, lines });
      });
    return () => {
      gone = true;
    };
  }, [text, language]);
  return found !== null && found.text === text && found.language === language ? found.lines : null;
}
