import type { JsonObject } from '@binnacle/api-objects';
import { pause } from '@binnacle/event-loop';
import { StatusError } from '@binnacle/status-errors';
import { CommandError } from '../output/errors.ts';
import type { Session } from '../session/session.ts';
import type { DeletedObject } from './delete-object.ts';
import { objectIn, textIn } from './page.ts';

const firstPauseMs = 50;
const longestPauseMs = 2_000;

/**
 * Polls objects, at growing intervals, until all are gone: none of the name, or another one of the name. Throws a
 * `CommandError` after the time, 0 for no limit. Users who may not read an object do not wait for it.
 */
export async function waitUntilGone(
  session: Session,
  objects: readonly DeletedObject[],
  timeoutMs: number,
): Promise<void> {
  const { terminal } = session;
  const giveUpAt = timeoutMs > 0 ? terminal.now() + timeoutMs : Number.POSITIVE_INFINITY;
  for (const object of objects) {
    for (
      let pauseMs = firstPauseMs;
      await isThere(session, object);
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    ) {
      if (terminal.now() >= giveUpAt)
        throw new CommandError(`timed out waiting for the condition on ${object.path}`);
      await pause(pauseMs * (0.5 + terminal.random() / 2), terminal.signal);
      terminal.signal.throwIfAborted();
    }
  }
}

async function isThere({ client }: Session, { path, uid }: DeletedObject): Promise<boolean> {
  try {
    const object = await client.json<JsonObject>({ method: 'GET', path });
    return uid === '' || textIn(objectIn(object, 'metadata'), 'uid') === uid;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if ([401, 403, 404, 405].includes(error.code)) return false;
    if (error.code === 429 || error.code >= 500) return true;
    throw error;
  }
}
