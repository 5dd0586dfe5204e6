import type { IncomingMessage } from 'node:http';
import { request as startRequest } from 'node:https';
import { getCACertificates } from 'node:tls';

/** Options of fetching a document of the provider. */
export interface FetchOptions {
  /** Authorities of its certificate, PEM; undefined: those of the host. */
  readonly ca: Buffer | undefined;
  readonly signal: AbortSignal;
}

const maxAnswerBytes = 256 * 1024;
const maxRedirects = 3;
const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Fetches a JSON document over TLS, following a few redirects within the same origin. Throws an Error that names the address,
 * and never quotes the answer.
 */
export async function fetchJson(url: URL, options: FetchOptions): Promise<unknown> {
  let at = url;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const answer = await get(at, options);
    if (answer.kind === 'body') return parse(answer.body, at);
    if (answer.to.origin !== at.origin)
      throw new Error(`${shownUrl(at)} redirects to ${answer.to.origin}, which is not followed`);
    at = answer.to;
  }
  throw new Error(`${shownUrl(url)} redirects more than ${maxRedirects} times`);
}

type Answer =
  | { readonly kind: 'body'; readonly body: Buffer }
  | { readonly kind: 'redirect'; readonly to: URL };

function get(url: URL, options: FetchOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = startRequest(url, {
      agent: false,
      ca: options.ca ?? hostAuthorities(),
      minVersion: 'TLSv1.2',
      signal: options.signal,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'binnacle-token-review',
      },
    });
    request.on('response', answer => void readAnswer(answer, url).then(resolve, reject));
    request.on('error', cause => reject(new Error(`${shownUrl(url)} cannot be fetched`, { cause })));
    request.end();
  });
}

/** Reads the certificate authorities of the host; undefined, which means Node's own, where the host has none. */
function hostAuthorities(): string[] | undefined {
  const authorities = getCACertificates('system');
  return authorities.length > 0 ? authorities : undefined;
}

async function readAnswer(answer: IncomingMessage, url: URL): Promise<Answer> {
  try {
    const { statusCode = 0, headers } = answer;
    if (redirectStatuses.includes(statusCode)) {
      const { location = '' } = headers;
      if (!URL.canParse(location, url.href)) throw new Error(`${shownUrl(url)} redirects to no address`);
      return { kind: 'redirect', to: new URL(location, url) };
    }
    if (statusCode !== 200) throw new Error(`${shownUrl(url)} answers with status ${statusCode}`);
    return { kind: 'body', body: await readBody(answer, url) };
  } finally {
    answer.destroy();
  }
}

async function readBody(answer: IncomingMessage, url: URL): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > maxAnswerBytes) break;
      parts.push(part);
    }
  } catch (cause) {
    throw new Error(`the answer of ${shownUrl(url)} broke off`, { cause });
  }
  if (length > maxAnswerBytes)
    throw new Error(`the answer of ${shownUrl(url)} is longer than ${maxAnswerBytes} bytes`);
  return Buffer.concat(parts);
}

function parse(body: Buffer, url: URL): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new Error(`the answer of ${shownUrl(url)} is not JSON`);
  }
}

/** Formats a URL for logs, without the query. */
function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
