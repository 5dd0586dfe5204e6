import { humanDuration, isNumber, type JsonObject } from '@binnacle/api-objects';
import type { DirectClient } from '@binnacle/client';
import { objectIn, textIn } from '../objects/page.ts';
import { readAll } from '../objects/read-objects.ts';

/** The events of an object in the order of their last occurrence; `now` in milliseconds since 1970. */
export function describeEvents(events: readonly JsonObject[], now: number): string {
  if (events.length === 0) return 'Events:\t<none>\n';
  const sorted = events.toSorted((a, b) => timeIn(a, 'lastTimestamp') - timeIn(b, 'lastTimestamp'));
  return [
    'Events:\n',
    '  Type\tReason\tAge\tFrom\tMessage\n',
    '  ----\t------\t----\t----\t-------\n',
    ...sorted.map(event => {
      const from = textIn(objectIn(event, 'source'), 'component') || textIn(event, 'reportingComponent');
      const cells = [
        textIn(event, 'type'),
        textIn(event, 'reason'),
        intervalText(event, now),
        from,
        textIn(event, 'message').trim(),
      ];
      return `  ${cells.join('\t')}\n`;
    }),
  ].join('');
}

/** The events that are about an object, read in parts of at most `chunkSize`. */
export async function readEvents(
  client: Pick<DirectClient, 'json'>,
  object: JsonObject,
  chunkSize: number,
): Promise<JsonObject[]> {
  const metadata = objectIn(object, 'metadata');
  const namespace = textIn(metadata, 'namespace');
  const fields = {
    name: textIn(metadata, 'name'),
    namespace,
    kind: textIn(object, 'kind'),
    uid: textIn(metadata, 'uid'),
  };
  const selection = {
    path: namespace === '' ? '/api/v1/events' : `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`,
    labelSelector: '',
    fieldSelector: Object.entries(fields)
      .map(([field, value]) => `involvedObject.${field}=${value}`)
      .join(),
    accept: 'application/json',
  };
  const { items } = await readAll(client, selection, chunkSize);
  return items.map(item => item.object);
}

function intervalText(event: JsonObject, now: number): string {
  const since = (time: number) => (time === 0 ? '<unknown>' : humanDuration(now - time));
  const first = since(timeIn(event, 'eventTime') || timeIn(event, 'firstTimestamp'));
  const series = objectIn(event, 'series');
  if (isNumber(series['count']))
    return `${since(timeIn(series, 'lastObservedTime'))} (x${series['count']} over ${first})`;
  const { count } = event;
  return isNumber(count) && count > 1
    ? `${since(timeIn(event, 'lastTimestamp'))} (x${count} over ${first})`
    : first;
}

/** Milliseconds since 1970; 0 where there is no time. */
function timeIn(holder: JsonObject, name: string): number {
  return Date.parse(textIn(holder, name)) || 0;
}
