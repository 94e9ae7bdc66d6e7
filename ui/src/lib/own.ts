/** What a record has itself under a name that somebody else chose: `constructor` is none of its members. */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
