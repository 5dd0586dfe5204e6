import { parseTimestamp } from '@binnacle/api-objects';
import { asText } from '../values/json-access.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** Formats the age of a timestamp for Table cells; `<unknown>` if there is none. */
export function ageSince(timestamp: unknown, now: number): string {
  const then = parseTimestamp(asText(timestamp));
  return then === undefined ? '<unknown>' : briefDuration(Math.trunc((now - then) / 1000));
}

/** Formats seconds with one unit, or two where one would be too coarse: `90s`, `5m30s`, `3h`, `2d5h`, `1y20d`. */
export function briefDuration(seconds: number): string {
  // Clocks of replicas may differ slightly; a larger difference means a wrong timestamp.
  if (seconds < -1) return '<invalid>';
  if (seconds < 2 * minute) return `${Math.max(seconds, 0)}s`;
  if (seconds < 10 * minute) return twoUnits(seconds, [minute, 'm'], [1, 's']);
  if (seconds < 3 * hour) return `${Math.floor(seconds / minute)}m`;
  if (seconds < 8 * hour) return twoUnits(seconds, [hour, 'h'], [minute, 'm']);
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)}h`;
  if (seconds < 8 * day) return twoUnits(seconds, [day, 'd'], [hour, 'h']);
  if (seconds < 2 * year) return `${Math.floor(seconds / day)}d`;
  if (seconds < 8 * year) return twoUnits(seconds, [year, 'y'], [day, 'd']);
  return `${Math.floor(seconds / year)}y`;
}

type Unit = readonly [seconds: number, letter: string];

function twoUnits(seconds: number, [large, largeLetter]: Unit, [small, smallLetter]: Unit): string {
  const whole = `${Math.floor(seconds / large)}${largeLetter}`;
  const rest = Math.floor((seconds % large) / small);
  return rest === 0 ? whole : `${whole}${rest}${smallLetter}`;
}
