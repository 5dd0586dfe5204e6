/** A value as an object whose members are not known; undefined for arrays and everything else. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>) // Checked: an object that is no array.
    : undefined;
}
