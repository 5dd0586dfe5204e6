/** The members of an object in the order of their names. */
export function sortedEntries<Value>(object: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
