import { figures } from '../cost/figures.ts';
import type { OverloadDeclaration } from '../types/declarations.ts';
import { types } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';
import { Duration } from '../values/duration.ts';
import { dateInZone } from '../values/time-zone.ts';
import { Timestamp } from '../values/timestamp.ts';
import { constantCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { method } from './overloads.ts';

const { int, string, timestamp, duration } = types;

/** The getters of timestamps, in UTC or a time zone, and of durations. */
export const timeGetters: readonly FunctionDefinition[] = [
  getter('getFullYear', ofDate('year'), date => date.getUTCFullYear()),
  getter('getMonth', ofDate('month'), date => date.getUTCMonth()),
  getter('getDayOfYear', ofDate('day_of_year'), dayOfYear),
  getter('getDayOfMonth', ofDate('day_of_month'), date => date.getUTCDate() - 1),
  getter('getDate', ofDate('day_of_month_1_based'), date => date.getUTCDate()),
  getter('getDayOfWeek', ofDate('day_of_week'), date => date.getUTCDay()),
  getter('getHours', ofTime('hours', 3_600_000_000_000n), date => date.getUTCHours()),
  getter('getMinutes', ofTime('minutes', 60_000_000_000n), date => date.getUTCMinutes()),
  getter('getSeconds', ofTime('seconds', 1_000_000_000n, 'seconds_tz'), date => date.getUTCSeconds()),
  getter('getMilliseconds', ofTime('milliseconds', 1_000_000n), (_, { nanoseconds }) =>
    Math.floor(nanoseconds / 1_000_000),
  ),
];

/** Overloads and unit of a getter. */
interface Part {
  readonly overloads: readonly OverloadDeclaration[];
  /** Nanoseconds of one unit, for getters that durations also have. */
  readonly unit: bigint | undefined;
}

function ofDate(part: string, partInZone = `${part}_with_tz`): Part {
  const overloads = [
    method(`timestamp_to_${part}`, [timestamp], int),
    method(`timestamp_to_${partInZone}`, [timestamp, string], int),
  ];
  return { overloads, unit: undefined };
}

function ofTime(part: string, unit: bigint, partInZone?: string): Part {
  const { overloads } = ofDate(part, partInZone);
  return { overloads: [...overloads, method(`duration_to_${part}`, [duration], int)], unit };
}

/** Cost of a time zone conversion, in traversed elements. */
const stepsOfZone = 50;

function getter(
  name: string,
  { overloads, unit }: Part,
  read: (date: Date, moment: Timestamp) => number,
): FunctionDefinition {
  return {
    name,
    overloads,
    evaluate([target, zone = 'UTC', ...more], frame) {
      frame.charge(figures.call);
      if (more.length > 0 || typeof zone !== 'string') return undefined;
      if (target instanceof Duration) return unit === undefined ? undefined : target.nanoseconds / unit;
      if (!(target instanceof Timestamp)) return undefined;
      if (zone !== 'UTC') frame.traverse(stepsOfZone);
      const date = dateInZone(target, zone);
      return date instanceof CelError ? date : BigInt(read(date, target));
    },
    estimate: constantCost,
  };
}

function dayOfYear(date: Date): number {
  const first = new Date(0);
  first.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - first.getTime()) / 86_400_000);
}
