/** Turns an identifier into words: "max_results" and "maxResults" become "Max results". */
export function inWords(name: string): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/[\s_.-]+/g, " ")
    .trim()
    .split(" ")
    // Abbreviations stay as they are.
    .map((word) => (/^\p{Lu}\p{Ll}/u.test(word) ? word.toLowerCase() : word))
    .join(" ");
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
