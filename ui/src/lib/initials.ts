/** Up to two letters that stand for a name: of its first two words, else its first two. */
function first(name: string): string {
  const words = wordsOf(name);
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? "?")].slice(0, 2);
  return letters.join("").toUpperCase();
}

const wordsOf = (name: string): string[] => name.split(/[\s_\-./:]+/).filter((word) => word !== "");

/**
 * Initials of each name, no two the same: a later one that would repeat an earlier one has a third letter, the first
 * of a further word before those within; names that are the same are numbered.
 */
export function initialsOf(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, at) => {
    const short = first(name);
    const [, ...rest] = wordsOf(name);
    const further = [...rest.slice(1).map((word) => [...word][0]), ...[...(rest[0] ?? name)].slice(rest[0] ? 1 : 2)];
    const letters = names.indexOf(name) < at ? [] : further.map((letter) => `${short}${letter}`.toUpperCase());
    let free = [short, ...letters].find((initials) => !taken.has(initials));
    for (let number = 2; free === undefined; number++) if (!taken.has(`${short}${number}`)) free = `${short}${number}`;
    taken.add(free);
    return free;
  });
}
