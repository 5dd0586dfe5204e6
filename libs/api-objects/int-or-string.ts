/** A 32-bit integer or a text, such as a target port or a percentage. */
type IntOrString = number | string;

/** Whether a value is a 32-bit integer or a text. */
export function isIntOrString(value: unknown): value is IntOrString {
  return typeof value === 'string' || (typeof value === 'number' && (value | 0) === value);
}

/** Parses a percentage (`25%`); undefined if the text is none. */
export function parsePercent(text: string): number | undefined {
  return /^[0-9]{1,9}%$/.test(text) ? Number(text.slice(0, -1)) : undefined;
}
