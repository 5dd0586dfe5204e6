const units: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};
const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;

/** Reads a duration such as `1h15m30.5s` as nanoseconds; undefined when it is none or exceeds 2^53 nanoseconds. */
export function parseDuration(text: string): number | undefined {
  if (text.length > 64) return undefined;
  const negative = text.startsWith('-');
  const body = negative || text.startsWith('+') ? text.slice(1) : text;
  if (body === '0') return 0;
  let total = 0;
  part.lastIndex = 0;
  while (part.lastIndex < body.length) {
    const match = part.exec(body);
    if (match === null) return undefined;
    total += Number(match[1]) * units[match[2]!]!;
  }
  const rounded = Math.round(total);
  if (body === '' || !Number.isSafeInteger(rounded)) return undefined;
  return negative ? -rounded : rounded;
}

/** Writes nanoseconds as a duration text with hours as the largest unit: `1h0m0s`, `1.5s`, `200ms`. */
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

/** Writes value / 10^places without a rounding error and without trailing zeros. */
function decimal(value: number, places: number): string {
  const digits = String(value).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`;
}
