const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const part = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;
/** Longer texts are not durations. */
const longestText = 256;

/** Parses a duration such as `1h15m30.5s` to nanoseconds; undefined if it is invalid or exceeds 2^53 nanoseconds. */
export function parseDuration(text: string): number | undefined {
  const nanoseconds = text.length > 64 ? undefined : durationNanoseconds(text);
  const number = Number(nanoseconds);
  return nanoseconds !== undefined && Number.isSafeInteger(number) ? number : undefined;
}

/** Parses a duration of any size, such as `1h15m30.5s`, `-4ms` or `0`, to nanoseconds; undefined if it is invalid. */
export function durationNanoseconds(text: string): bigint | undefined {
  if (text.length > longestText) return undefined;
  const negative = text.startsWith('-');
  const body = negative || text.startsWith('+') ? text.slice(1) : text;
  if (body === '0') return 0n;
  if (body === '') return undefined;
  let total = 0n;
  part.lastIndex = 0;
  while (part.lastIndex < body.length) {
    const match = part.exec(body);
    if (match === null) return undefined;
    const [, integer = '', fraction = '', unit = ''] = match;
    if (integer === '' && fraction === '') return undefined;
    total += nanosecondsFrom(integer, fraction, units[unit] ?? 0n);
  }
  return negative ? -total : total;
}

function nanosecondsFrom(integer: string, fraction: string, unit: bigint): bigint {
  const digits = fraction.slice(0, 18);
  const scale = 10n ** BigInt(digits.length);
  return BigInt(integer || '0') * unit + (BigInt(digits || '0') * unit) / scale;
}

/** Duration units in words; the last name of each also matches as a prefix (`minutes`). */
const wordUnits: readonly (readonly [names: readonly string[], nanoseconds: bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1_000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], 1_000_000_000n],
  [['m', 'min'], 60_000_000_000n],
  [['h', 'hr', 'hour'], 3_600_000_000_000n],
  [['d', 'day'], 86_400_000_000_000n],
  [['w', 'wk', 'week'], 604_800_000_000_000n],
];

/**
 * Parses a value of the schema format `duration` to nanoseconds, wrapped to 64 bits: `1h15m`, or integers with units in words,
 * such as `1d`, `2 weeks` or `3 days 4 hours`. Unknown units are ignored if there is a known one. Undefined if the text is no
 * duration.
 */
export function parseSchemaDuration(text: string): bigint | undefined {
  const exact = durationNanoseconds(text);
  if (exact !== undefined && BigInt.asIntN(64, exact) === exact) return exact;
  if (text.length > longestText || !/^\s*(?:\d+\s*[A-Za-zµ]+\s*)+$/.test(text)) return undefined;
  let total: bigint | undefined;
  for (const [, digits = '', word = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const count = BigInt(digits);
    if (BigInt.asIntN(64, count) !== count) return undefined;
    const unit = unitNamed(word.toLowerCase());
    if (unit !== undefined) total = (total ?? 0n) + count * unit;
  }
  return total === undefined ? undefined : BigInt.asIntN(64, total);
}

function unitNamed(word: string): bigint | undefined {
  return wordUnits.find(([names]) => names.includes(word) || word.startsWith(names.at(-1) ?? word))?.[1];
}

/** Formats nanoseconds as a duration with hours as the largest unit: `1h0m0s`, `1.5s`, `200ms`. */
export function formatDuration(nanoseconds: number): string {
  if (nanoseconds === 0) return '0s';
  const sign = nanoseconds < 0 ? '-' : '';
  const total = Math.abs(nanoseconds);
  if (total < 1e9) return sign + formatSubSecond(total);
  const hours = Math.floor(total / 3600e9);
  const minutes = Math.floor((total % 3600e9) / 60e9);
  const seconds = decimal(total % 60e9, 9);
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}s` : `${sign}${seconds}s`;
}

function formatSubSecond(nanoseconds: number): string {
  if (nanoseconds >= 1e6) return `${decimal(nanoseconds, 6)}ms`;
  return nanoseconds >= 1e3 ? `${decimal(nanoseconds, 3)}µs` : `${nanoseconds}ns`;
}

/** Formats value / 10^places exactly and without trailing zeros. */
function decimal(value: number, places: number): string {
  const digits = String(value).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`;
}
