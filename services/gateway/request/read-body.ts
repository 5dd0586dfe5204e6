import type { CallContext } from '@binnacle/proto';
import { hasEnded, onCallEnd } from '@binnacle/rpc';
import { requestEntityTooLarge, timeout } from '@binnacle/status-errors';
import type { HttpRequest, HttpResponse } from './http-messages.ts';

/** Largest body that a request may have, in bytes. */
export const maxBodyBytes = 3 * 1024 * 1024;
/** Bytes of an unread body that are discarded after the answer, and time for that, so that the connection stays usable. */
const maxDiscardedBytes = 64 * 1024 * 1024;
const maxDiscardMs = 10_000;
const discardCheckMs = 250;

/** A request with a body that is about to be read. */
interface BodySource {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** Called with the number of bytes as they come; an error that it throws ends the reading. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Reads a whole body, at most `maxBodyBytes`. Throws RequestEntityTooLarge beyond, and Timeout when the call ends
 * before the body does.
 */
export function readBody(source: BodySource, call: CallContext): Promise<Buffer> {
  const { request } = source;
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  if (announced > maxBodyBytes) return Promise.reject(requestEntityTooLarge(maxBodyBytes));
  return announced === 0 ? Promise.resolve(Buffer.alloc(0)) : collect(source, call);
}

function collect(source: BodySource, call: CallContext): Promise<Buffer> {
  const { request } = source;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = () => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      forget();
    };
    const fail = (error: unknown) => {
      settle();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      try {
        if (size > maxBodyBytes) throw requestEntityTooLarge(maxBodyBytes);
        source.onBytes?.(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = () => {
      settle();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    };
    const onGone = () => fail(timeout('the connection closed before the body was complete'));
    const onCallOver = () => {
      source.response.shouldKeepAlive = false;
      fail(timeout('the body of the request was not complete in time'));
    };
    let forget = () => {};
    if (hasEnded(call)) {
      onCallOver();
      return;
    }
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
    forget = onCallEnd(call, onCallOver);
  });
}

/**
 * Bounds what happens to a body that an answer over HTTP/1.1 did not wait for: the HTTP server reads and discards it, and
 * a connection whose client goes on and on is closed. Closing at once would lose the answer on its way. Over HTTP/2 the
 * stream is closed with the answer, which ends the body.
 */
export function boundUnreadBody(
  { request, response }: BodySource,
  clock: () => number = () => performance.now(),
): void {
  if (request.complete || response.writableFinished || request.httpVersionMajor === 2) return;
  response.once('finish', () => {
    const { socket } = request;
    const [startedAt, startBytes] = [clock(), socket.bytesRead];
    const check = setInterval(() => {
      const isOver = request.complete || socket.destroyed;
      const isTooMuch =
        clock() - startedAt > maxDiscardMs || socket.bytesRead - startBytes > maxDiscardedBytes;
      if (isTooMuch && !isOver) socket.destroy();
      if (isTooMuch || isOver) clearInterval(check);
    }, discardCheckMs).unref();
  });
}
