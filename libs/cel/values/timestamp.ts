import { CelError } from './cel-error.ts';

/** A point in time from the year 1 to the year 9999, in nanoseconds. */
export class Timestamp {
  /** Seconds since 1970, rounded down. */
  readonly seconds: number;
  /** Nanoseconds within the second, 0 to 999,999,999. */
  readonly nanoseconds: number;

  /** UTC offset in seconds of the parsed text, which formatting preserves. */
  readonly offset: number;

  constructor(seconds: number, nanoseconds: number, offset = 0) {
    this.seconds = seconds;
    this.nanoseconds = nanoseconds;
    this.offset = offset;
  }
}

const firstSecond = -62_135_596_800;
const lastSecond = 253_402_300_799;
const nanosecondsOfSecond = 1_000_000_000n;

const format =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,64}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const dateFormat = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the nanoseconds since 1970. */
export function timestampNanoseconds({ seconds, nanoseconds }: Timestamp): bigint {
  return BigInt(seconds) * nanosecondsOfSecond + BigInt(nanoseconds);
}

/** Creates a timestamp of nanoseconds since 1970, or an error if it is out of range. */
export function timestampOrOverflow(nanoseconds: bigint): Timestamp | CelError {
  const rest = ((nanoseconds % nanosecondsOfSecond) + nanosecondsOfSecond) % nanosecondsOfSecond;
  const seconds = (nanoseconds - rest) / nanosecondsOfSecond;
  if (seconds < BigInt(firstSecond) || seconds > BigInt(lastSecond))
    return new CelError('timestamp overflow: out of range');
  return new Timestamp(Number(seconds), Number(rest));
}

/** Parses an RFC 3339 date and time. */
export function parseTimestamp(text: string): Timestamp | CelError {
  const match = format.exec(text);
  const refused = new CelError(`${JSON.stringify(text.slice(0, 64))} is not a timestamp`);
  if (match === null) return refused;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = match;
  const days = daysSinceEpoch(Number(year), Number(month), Number(day));
  if (days === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return refused;
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return refused;
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * (sign === '-' ? -60 : 60);
  const seconds = days * 86_400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  if (seconds < firstSecond || seconds > lastSecond) return new CelError('timestamp overflow: out of range');
  return new Timestamp(seconds, Number(fraction.slice(0, 9).padEnd(9, '0')), offset);
}

/** Parses `1997-07-16` as the start of that day in UTC, other texts as RFC 3339 date and time. */
export function parseDateOrTimestamp(text: string): Timestamp | CelError {
  return parseTimestamp(dateFormat.test(text) ? `${text}T00:00:00Z` : text);
}

/** Formats RFC 3339 with the necessary decimals, in UTC or with the offset of the parsed text. */
export function formatTimestamp({ seconds, nanoseconds, offset }: Timestamp): string {
  const text = new Date((seconds + offset) * 1000).toISOString().slice(0, 19);
  const fraction = nanoseconds.toString().padStart(9, '0').replace(/0+$/, '');
  return `${text}${fraction === '' ? '' : `.${fraction}`}${formatOffset(offset / 60)}`;
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z';
  const size = Math.abs(minutes);
  const parts = [Math.floor(size / 60), size % 60].map(part => String(part).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${parts.join(':')}`;
}

/** Returns the days since 1970; undefined for a day that the month does not have. */
function daysSinceEpoch(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.getTime() / 86_400_000;
}
