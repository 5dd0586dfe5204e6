/** A value that is either a 32-bit integer or a text, such as a target port or a percentage. */
type IntOrString = number | string;

/** Asks whether a value is an integer of 32 bits or a text. */
export function isIntOrString(value: unknown): value is IntOrString {
  return typeof value === 'string' || (typeof value === 'number' && (value | 0) === value);
}

/** Reads a percentage text (`25%`) as its number; undefined when the text is none. */
export function parsePercent(text: string): number | undefined {
  return /^[0-9]{1,9}%$/.test(text) ? Number(text.slice(0, -1)) : undefined;
}
