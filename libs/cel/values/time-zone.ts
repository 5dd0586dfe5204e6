import { BoundedMap } from '@binnacle/event-loop';
import { CelError } from './cel-error.ts';
import type { Timestamp } from './timestamp.ts';

/** The limit exceeds the number of time zones: expressions may write a name in several ways. */

const zones = new BoundedMap<string, Intl.DateTimeFormat | CelError>(512);
const offsetFormat = /^([+-]?)(\d{1,2}):(\d{2})$/;

/**
 * Converts a timestamp to a date whose UTC fields are those of the time zone: `UTC`, an IANA name, or an offset such as `-08:30`.
 * The date has no milliseconds.
 */
export function dateInZone({ seconds }: Timestamp, zone: string): Date | CelError {
  if (zone === '' || zone === 'UTC') return new Date(seconds * 1000);
  const match = offsetFormat.exec(zone);
  if (match !== null) {
    const minutes = Number(match[2]) * 60 + Number(match[3]);
    return new Date((seconds + (match[1] === '-' ? -60 : 60) * minutes) * 1000);
  }
  const zoneFormat = getZoneFormat(zone);
  if (zoneFormat instanceof CelError) return zoneFormat;
  return zonedDate(zoneFormat, new Date(seconds * 1000));
}

function zonedDate(zoneFormat: Intl.DateTimeFormat, moment: Date): Date {
  const fields: Record<string, string> = {};
  for (const { type, value } of zoneFormat.formatToParts(moment)) fields[type] = value;
  const date = new Date(0);
  const year = Number(fields['year']);
  date.setUTCFullYear(
    fields['era']?.startsWith('B') ? 1 - year : year,
    Number(fields['month']) - 1,
    Number(fields['day']),
  );
  date.setUTCHours(Number(fields['hour']), Number(fields['minute']), Number(fields['second']));
  return date;
}

function getZoneFormat(zone: string): Intl.DateTimeFormat | CelError {
  const known = zones.get(zone);
  if (known !== undefined) return known;
  const made = zone.length > 64 ? unknownZone(zone) : makeFormat(zone);
  if (zone.length <= 64) zones.set(zone, made);
  return made;
}

function makeFormat(zone: string): Intl.DateTimeFormat | CelError {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return unknownZone(zone);
  }
}

function unknownZone(zone: string): CelError {
  return new CelError(`unknown time zone ${JSON.stringify(zone.slice(0, 64))}`);
}
