import { figures } from '../cost/figures.ts';
import { CelError } from '../values/cel-error.ts';
import { Duration } from '../values/duration.ts';
import { dateInZone } from '../values/time-zone.ts';
import { Timestamp } from '../values/timestamp.ts';
import type { Value } from '../values/value.ts';
import type { FunctionLibrary, LibraryFunction } from './library-function.ts';

/** The parts of timestamps, in UTC or a zone, and of durations. */
export const times: FunctionLibrary = {
  getFullYear: accessor(date => date.getUTCFullYear()),
  getMonth: accessor(date => date.getUTCMonth()),
  getDate: accessor(date => date.getUTCDate()),
  getDayOfMonth: accessor(date => date.getUTCDate() - 1),
  getDayOfWeek: accessor(date => date.getUTCDay()),
  getDayOfYear: accessor(dayOfYear),
  getHours: accessor(date => date.getUTCHours(), 3_600_000_000_000n),
  getMinutes: accessor(date => date.getUTCMinutes(), 60_000_000_000n),
  getSeconds: accessor(date => date.getUTCSeconds(), 1_000_000_000n),
  getMilliseconds: accessor((_, { nanoseconds }) => Math.floor(nanoseconds / 1_000_000), 1_000_000n),
};

/** To find the time in a zone takes as long as to go through so many elements. */
const stepsOfZone = 50;

/** With a unit, the function also tells how many whole units a duration has. */
function accessor(part: (date: Date, moment: Timestamp) => number, unit?: bigint): LibraryFunction {
  return ([target, zone = 'UTC', ...more], frame): Value | undefined => {
    frame.charge(figures.call);
    if (more.length > 0 || typeof zone !== 'string') return undefined;
    if (target instanceof Duration) return unit === undefined ? undefined : target.nanoseconds / unit;
    if (!(target instanceof Timestamp)) return undefined;
    if (zone !== 'UTC') frame.traverse(stepsOfZone);
    const date = dateInZone(target, zone);
    return date instanceof CelError ? date : BigInt(part(date, target));
  };
}

function dayOfYear(date: Date): number {
  const first = new Date(0);
  first.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - first.getTime()) / 86_400_000);
}
