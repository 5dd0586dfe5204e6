import { durationNanoseconds, parseSchemaDuration } from '@binnacle/api-objects';
import { CelError } from './cel-error.ts';

/** A duration in nanoseconds, within 64 bits: ±292 years. */
export class Duration {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

const nanosecondsOfSecond = 1_000_000_000n;

/** Creates a duration of nanoseconds, or an error if it is out of range. */
export function durationOrOverflow(nanoseconds: bigint): Duration | CelError {
  if (BigInt.asIntN(64, nanoseconds) !== nanoseconds) return new CelError('duration overflow: out of range');
  return new Duration(nanoseconds);
}

/** Parses `1h2m3.5s`, `-4ms` and similar; `0` needs no unit. */
export function parseDuration(text: string): Duration | CelError {
  return durationOrRefusal(durationNanoseconds(text), text);
}

/** Parses a value of the schema format `duration`: like `parseDuration`, plus days and other units in words. */
export function parseDurationInSchema(text: string): Duration | CelError {
  return durationOrRefusal(parseSchemaDuration(text), text);
}

function durationOrRefusal(nanoseconds: bigint | undefined, text: string): Duration | CelError {
  return nanoseconds === undefined
    ? new CelError(`${JSON.stringify(text.slice(0, 64))} is not a duration`)
    : durationOrOverflow(nanoseconds);
}

/** Formats the seconds with the necessary decimals: `3723.004s`. */
export function formatDuration({ nanoseconds }: Duration): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fraction = (size % nanosecondsOfSecond).toString().padStart(9, '0').replace(/0+$/, '');
  const seconds = `${size / nanosecondsOfSecond}${fraction === '' ? '' : `.${fraction}`}s`;
  return nanoseconds < 0n ? `-${seconds}` : seconds;
}
