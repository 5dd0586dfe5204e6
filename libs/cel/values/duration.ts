import { durationNanoseconds, parseSchemaDuration } from '@binnacle/api-objects';
import { CelError } from './cel-error.ts';

/** A span of time in nanoseconds, of which there are as many as 64 bits hold: 292 years either way. */
export class Duration {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

const nanosecondsOfSecond = 1_000_000_000n;

/** A number of nanoseconds as a duration, or the error of one that is out of range. */
export function durationOrOverflow(nanoseconds: bigint): Duration | CelError {
  if (BigInt.asIntN(64, nanoseconds) !== nanoseconds) return new CelError('duration overflow: out of range');
  return new Duration(nanoseconds);
}

/** Reads `1h2m3.5s`, `-4ms` and the like; a plain `0` needs no unit. */
export function parseDuration(text: string): Duration | CelError {
  return durationOrRefusal(durationNanoseconds(text), text);
}

/** Reads a value of the schema format `duration`: what `parseDuration` reads, and days and other units in words. */
export function parseDurationInSchema(text: string): Duration | CelError {
  return durationOrRefusal(parseSchemaDuration(text), text);
}

function durationOrRefusal(nanoseconds: bigint | undefined, text: string): Duration | CelError {
  return nanoseconds === undefined
    ? new CelError(`${JSON.stringify(text.slice(0, 64))} is not a duration`)
    : durationOrOverflow(nanoseconds);
}

/** The seconds with as many decimals as they need: `3723.004s`. */
export function formatDuration({ nanoseconds }: Duration): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fraction = (size % nanosecondsOfSecond).toString().padStart(9, '0').replace(/0+$/, '');
  const seconds = `${size / nanosecondsOfSecond}${fraction === '' ? '' : `.${fraction}`}s`;
  return nanoseconds < 0n ? `-${seconds}` : seconds;
}
