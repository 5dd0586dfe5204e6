const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,18}))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A point in time. */
interface Instant {
  /** Whole seconds since 1970. */
  readonly seconds: number;
  /** Nanoseconds within the second, 0 to 999,999,999. */
  readonly nanos: number;
}

/** The last formatted second and its text: a server formats the current time frequently. */
let lastSecond = Number.NaN;
let lastText = '';

/** Formats milliseconds since 1970 as an RFC 3339 text with whole seconds in UTC, the form of metadata times. */
export function timestampFrom(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}

/** Formats milliseconds since 1970, truncated to microseconds, as an RFC 3339 text with six decimals. */
export function microTimestampFrom(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return formatMicroTimestamp({ seconds, nanos: Math.floor((ms - seconds * 1000) * 1000) * 1000 });
}

/** Formats an instant as an RFC 3339 text with six decimals. */
export function formatMicroTimestamp(instant: Instant): string {
  const micros = Math.floor(instant.nanos / 1000);
  return `${new Date(instant.seconds * 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`;
}

/** Parses an RFC 3339 text with any offset; undefined for invalid text and impossible dates. */
export function parseInstant(text: string): Instant | undefined {
  if (text.length > 64) return undefined;
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const utc = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  const date = new Date(utc);
  if (Number(year) < 100) date.setUTCFullYear(Number(year));
  const fits = date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
  if (!fits || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const nanos = fraction === undefined ? 0 : Number(fraction.slice(0, 9).padEnd(9, '0'));
  const seconds = date.getTime() / 1000 - offsetSeconds(zone!);
  // Years outside 0000 to 9999 cannot be formatted in this form.
  return seconds < -62_167_219_200 || seconds > 253_402_300_799 ? undefined : { seconds, nanos };
}

/** Parses an RFC 3339 text to milliseconds since 1970 (with fractions); undefined for invalid text. */
export function parseTimestamp(text: string): number | undefined {
  const instant = parseInstant(text);
  return instant === undefined ? undefined : instant.seconds * 1000 + instant.nanos / 1e6;
}

function offsetSeconds(zone: string): number {
  if (zone === 'Z') return 0;
  const seconds = Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(4, 6)) * 60;
  return zone.startsWith('-') ? -seconds : seconds;
}
