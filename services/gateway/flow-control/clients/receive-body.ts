import { sharedNotes } from '@binnacle/event-loop';
import { tooManyRequests } from '@binnacle/status-errors';
import type { Exchange } from '../../request/exchange.ts';
import { announcesBody } from '../../request/http-messages.ts';
import { readBody } from '../../request/read-body.ts';
import type { RequestTarget } from '../../request/request-target.ts';
import type { HeldBytes } from './held-bytes.ts';

const verbsWithBody = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const retryAfterSeconds = 1;
/** A user with no more held bytes than this is not refused because of other users. */
const smallBytes = 256 * 1024;

/** Whether a request announces a body that its verb reads. */
export function bringsBody(exchange: Pick<Exchange, 'request'>, target: RequestTarget): boolean {
  if (target.kind === 'path' || !verbsWithBody.has(target.verb)) return false;
  return announcesBody(exchange.request);
}

/**
 * Receives the body of a request and counts its bytes as they come; `exchange.body` holds it from then on, or the
 * error that reading it ended with. Returns a function that stops the counting, to be called when nothing needs the
 * body any more. Throws TooManyRequests when the bytes of the user, or of all users, are too many, and Timeout when
 * the request has ended before.
 */
export async function receiveBody(exchange: Exchange, held: HeldBytes): Promise<() => void> {
  const { username } = exchange.user;
  let counted = 0;
  const release = () => {
    held.add(username, -counted);
    counted = 0;
  };
  let refused: Error | undefined;
  const onBytes = (bytes: number) => {
    counted += bytes;
    held.add(username, bytes);
    const exceeded = held.exceeded(username);
    if (exceeded === undefined || (exceeded === 'total' && held.of(username) <= smallBytes)) return;
    refused = tooManyRequests(
      exceeded === 'user'
        ? 'Too many bytes of request bodies of this user wait to be served, please try again later.'
        : 'Too many bytes of request bodies wait to be served, please try again later.',
      retryAfterSeconds,
    );
    throw refused;
  };
  const body = readBody({ request: exchange.request, response: exchange.response, onBytes }, exchange.call);
  exchange.body = body;
  // The verb that needs the body throws its error.
  await body.catch(() => {});
  sharedNotes.begin();
  const isOver = exchange.call.hasEnded;
  if (refused === undefined && !isOver) return release;
  release();
  if (refused !== undefined) throw refused;
  // The client has left, or its time is up: there is nothing to execute.
  await body;
  return release;
}
