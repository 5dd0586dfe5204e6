import { CelError } from './cel-error.ts';

/** A span of time in nanoseconds, of which there are as many as 64 bits hold: 292 years either way. */
export class Duration {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

const nanosecondsOfSecond = 1_000_000_000n;

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: nanosecondsOfSecond,
  m: 60n * nanosecondsOfSecond,
  h: 3600n * nanosecondsOfSecond,
};

const part = /^(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/;

/** A number of nanoseconds as a duration, or the error of one that is out of range. */
export function durationOrOverflow(nanoseconds: bigint): Duration | CelError {
  if (BigInt.asIntN(64, nanoseconds) !== nanoseconds) return new CelError('duration overflow: out of range');
  return new Duration(nanoseconds);
}

/** Reads `1h2m3.5s`, `-4ms` and the like; a plain `0` needs no unit. */
export function parseDuration(text: string): Duration | CelError {
  const refused = new CelError(`${JSON.stringify(text.slice(0, 64))} is no duration`);
  // The longest text with a meaning is far shorter.
  if (text.length > 256) return refused;
  const negative = text.startsWith('-');
  let rest = negative || text.startsWith('+') ? text.slice(1) : text;
  if (rest === '0') return new Duration(0n);
  if (rest === '') return refused;
  let total = 0n;
  while (rest !== '') {
    const match = part.exec(rest);
    if (match === null) return refused;
    const [whole, integer = '', fraction = '', unit = ''] = match;
    if (integer === '' && fraction === '') return refused;
    total += partOf(integer, fraction, units[unit] ?? 0n);
    rest = rest.slice(whole.length);
  }
  return durationOrOverflow(negative ? -total : total);
}

function partOf(integer: string, fraction: string, unit: bigint): bigint {
  const digits = fraction.slice(0, 18);
  const scale = 10n ** BigInt(digits.length);
  return BigInt(integer || '0') * unit + (BigInt(digits || '0') * unit) / scale;
}

/** The seconds with as many decimals as they need: `3723.004s`. */
export function formatDuration({ nanoseconds }: Duration): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fraction = (size % nanosecondsOfSecond).toString().padStart(9, '0').replace(/0+$/, '');
  const seconds = `${size / nanosecondsOfSecond}${fraction === '' ? '' : `.${fraction}`}s`;
  return nanoseconds < 0n ? `-${seconds}` : seconds;
}
