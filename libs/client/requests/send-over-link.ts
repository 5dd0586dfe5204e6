import { type ClientHttp2Stream, constants } from 'node:http2';
import { unlessAborted } from '@binnacle/event-loop';
import { type Answer, answerFrom, failureFrom, unsent } from './answer.ts';
import { isWatch, lateAnswer, type OutgoingRequest } from './send.ts';
import type { ServerLinks } from './server-links.ts';

/**
 * Sends one request over HTTP/2 and resolves with the head of a successful answer, or with `undefined` if the server
 * does not support HTTP/2. Rejects as `send` does. A request that the server refuses without processing it, because it
 * is closing the connection, is retried once on a new connection.
 */
export async function sendOverLink(
  outgoing: OutgoingRequest,
  links: ServerLinks,
): Promise<Answer | undefined> {
  for (let mayRepeat = true; ; mayRepeat = false) {
    const stream = await beginOn(links, outgoing);
    if (stream === undefined) return undefined;
    try {
      return await answerOn(stream, outgoing);
    } catch (error) {
      if (!wasRefused(stream)) throw error;
      if (!mayRepeat) throw unsent(error as Error); // The error of a stream.
    }
  }
}

async function beginOn(
  links: ServerLinks,
  outgoing: OutgoingRequest,
): Promise<ClientHttp2Stream | undefined> {
  const { method, server, path, headers, signal, body, giveUpAt } = outgoing;
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const beginning = links.begin({
    server,
    headers: {
      ...headers,
      ...(bytes && {
        'content-type': outgoing.contentType ?? 'application/json',
        'content-length': String(bytes.length),
      }),
      ':method': method,
      ':path': path,
    },
    body: bytes,
    isWatch: isWatch(outgoing),
    whenSilent: outgoing.whenSilent,
    onSilent: outgoing.onSilent,
  });
  const limit = {
    milliseconds: Math.max(0, giveUpAt - performance.now()),
    reasonOf: () => lateAnswer(outgoing),
  };
  try {
    return await unlessAborted(beginning, signal, { limit });
  } catch (cause) {
    // The attempt may still succeed for other requests; this request is cancelled.
    beginning.then(stream => stream?.close(constants.NGHTTP2_CANCEL)).catch(() => {});
    throw signal?.aborted ? cause : unsent(failureFrom(cause as Error, server)); // The error of a connection.
  }
}

function answerOn(stream: ClientHttp2Stream, outgoing: OutgoingRequest): Promise<Answer> {
  const { server, signal, over, giveUpAt } = outgoing;
  return new Promise<Answer>((resolve, reject) => {
    const cancel = () => stream.close(constants.NGHTTP2_CANCEL);
    const abort = () => {
      reject(signal?.reason);
      cancel();
    };
    if (signal?.aborted) abort();
    if (over.aborted) cancel();
    signal?.addEventListener('abort', abort, { once: true });
    over.addEventListener('abort', cancel, { once: true });
    const timer = setTimeout(
      () => {
        reject(lateAnswer(outgoing));
        stream.destroy(lateAnswer(outgoing));
      },
      Math.max(0, giveUpAt - performance.now()),
    );
    stream.on('error', cause => reject(failureFrom(cause, server)));
    stream.once('response', ({ ':status': code = 0 }) => {
      if (isWatch(outgoing)) clearTimeout(timer);
      // A connection that closes ends its streams normally, except for the error code.
      const brokeOff = () => stream.rstCode !== constants.NGHTTP2_NO_ERROR;
      resolve(answerFrom({ code, stream, server, brokeOff }));
    });
    stream.once('close', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      reject(failureFrom(new Error(`the request ended with code ${stream.rstCode}`), server));
    });
  });
}

function wasRefused({ rstCode }: ClientHttp2Stream): boolean {
  return rstCode === constants.NGHTTP2_REFUSED_STREAM;
}
