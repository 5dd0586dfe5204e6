/** Returns a value as an object with unknown members; undefined for arrays and all other values. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>) // Checked: an object that is no array.
    : undefined;
}
