/** Returns up to two letters of a name: the initials of its first two words, or its first two letters. */
function firstLetters(name: string): string {
  const words = wordsOf(name);
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? "?")].slice(0, 2);
  return letters.join("").toUpperCase();
}

const wordsOf = (name: string): string[] => name.split(/[\s_\-./:]+/).filter((word) => word !== "");

/**
 * Returns unique initials for each name. Initials that would repeat earlier ones get a third letter: the initial of a
 * further word, or else a letter from within a word. Equal names are numbered.
 */
export function initialsOf(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, at) => {
    const short = firstLetters(name);
    const [, ...rest] = wordsOf(name);
    const further = [...rest.slice(1).map((word) => [...word][0]), ...[...(rest[0] ?? name)].slice(rest[0] ? 1 : 2)];
    const letters = names.indexOf(name) < at ? [] : further.map((letter) => `${short}${letter}`.toUpperCase());
    let free = [short, ...letters].find((initials) => !taken.has(initials));
    for (let number = 2; free === undefined; number++) if (!taken.has(`${short}${number}`)) free = `${short}${number}`;
    taken.add(free);
    return free;
  });
}
