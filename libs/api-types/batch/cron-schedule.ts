import { parseDuration } from '@binnacle/api-objects';
import { isTimeZone } from './time-zones.ts';

/** One of the five fields of a schedule. */
interface ScheduleField {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Names of the values, starting at `least`. */
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly ScheduleField[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, names: months },
  { name: 'day of week', least: 0, most: 6, names: weekdays },
];

const descriptors = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
const everyPrefix = '@every ';
const longestSchedule = 1024;

/**
 * Returns the problem of a cron schedule; undefined if it is valid.
 *
 * Valid are five fields (minute, hour, day of month, month, day of week) of values, names, ranges and steps; `@hourly`, `@daily`
 * and similar; `@every` and a duration; each optionally after `TZ=` or `CRON_TZ=` and a time zone.
 */
export function cronScheduleProblem(schedule: string): string | undefined {
  if (schedule.length > longestSchedule) return `must be no more than ${longestSchedule} characters`;
  const zone = /^(?:CRON_)?TZ=(\S*)\s*/.exec(schedule);
  if (zone && !isScheduleZone(zone[1] ?? '')) return `unknown time zone ${zone[1]}`;
  const rest = schedule.slice(zone?.[0].length ?? 0).trim();
  if (rest.startsWith('@')) return descriptorProblem(rest);
  const parts = rest === '' ? [] : rest.split(/\s+/);
  if (parts.length !== fields.length)
    return `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(' ')}]`;
  for (const [index, field] of fields.entries()) {
    const problem = fieldProblem(parts[index] ?? '', field);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A schedule may also name the local time zone or an empty one. */
function isScheduleZone(name: string): boolean {
  return name === '' || name === 'Local' || isTimeZone(name);
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  if (!text.startsWith(everyPrefix)) return `unrecognized descriptor: ${text}`;
  return parseDuration(text.slice(everyPrefix.length)) === undefined
    ? `failed to parse duration ${text}`
    : undefined;
}

function fieldProblem(text: string, field: ScheduleField): string | undefined {
  for (const part of text.split(',')) {
    const problem = partProblem(part, field);
    if (problem !== undefined) return `${field.name}: ${problem}`;
  }
  return undefined;
}

function partProblem(part: string, field: ScheduleField): string | undefined {
  const [range = '', step, ...furtherSteps] = part.split('/');
  if (furtherSteps.length > 0) return `too many slashes: ${part}`;
  if (step !== undefined && !isPositive(step)) return `step must be a positive number: ${part}`;
  if (range === '*' || range === '?') return undefined;
  const ends = range.split('-');
  if (ends.length > 2) return `too many hyphens: ${part}`;
  const [begin = Number.NaN, end = begin] = ends.map(value => parseNumber(value, field));
  if (Number.isNaN(begin) || Number.isNaN(end)) return `not a value: ${part}`;
  if (begin < field.least) return `beginning of range (${begin}) below minimum (${field.least}): ${part}`;
  if (end > field.most) return `end of range (${end}) above maximum (${field.most}): ${part}`;
  return begin > end ? `beginning of range (${begin}) beyond end of range (${end}): ${part}` : undefined;
}

function isPositive(text: string): boolean {
  return /^[0-9]{1,9}$/.test(text) && Number(text) > 0;
}

function parseNumber(text: string, { names = [], least }: ScheduleField): number {
  const index = names.indexOf(text.toLowerCase());
  if (index >= 0) return least + index;
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
}
