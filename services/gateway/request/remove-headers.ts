import type { HttpRequest } from './http-messages.ts';

/** The values of headers by lower-case name, one for each time that a header was sent. */
export type HeaderValues = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * Removes headers by lower-case name from every form in which a request shows them, so that no later step sees or
 * forwards them. Returns their values; undefined where there are none.
 */
export function removeHeaders(
  request: Pick<HttpRequest, 'headers' | 'headersDistinct' | 'rawHeaders'>,
  isRemoved: (name: string) => boolean,
): HeaderValues | undefined {
  const { rawHeaders } = request;
  const removed = findHeaderValues(rawHeaders, isRemoved);
  if (removed === undefined) return undefined;
  // Node makes the other forms of a request when they are first asked for, and relies on the number of raw headers then.
  const { headers, headersDistinct } = request;
  for (const name in removed) {
    delete headers[name];
    delete headersDistinct[name];
  }
  request.rawHeaders = rawHeaders.filter(
    (_, index) => removed[(rawHeaders[index - (index % 2)] ?? '').toLowerCase()] === undefined,
  );
  return removed;
}

function findHeaderValues(
  rawHeaders: readonly string[],
  isRemoved: (name: string) => boolean,
): HeaderValues | undefined {
  let values: Record<string, string[]> | undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    if (!isRemoved(name)) continue;
    values ??= Object.create(null) as Record<string, string[]>; // Without a prototype: names come from clients.
    values[name] = [...(values[name] ?? []), rawHeaders[i + 1] ?? ''];
  }
  return values;
}
