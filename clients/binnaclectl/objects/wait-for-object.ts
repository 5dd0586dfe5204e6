import type { JsonObject } from '@binnacle/api-objects';
import { Backoff } from '@binnacle/event-loop';
import { StatusError } from '@binnacle/status-errors';
import { resourcePath } from '../discovery/resource-type.ts';
import { CommandError, errorText } from '../output/errors.ts';
import type { Session } from '../session/session.ts';
import { canRetry, follow } from './follow.ts';
import type { Page } from './page.ts';
import type { Place } from './place.ts';
import { readAll, type Selection } from './read-objects.ts';

/** The condition to wait for. */
interface WaitOptions {
  /** Whether the condition holds for the object, undefined while there is none; an error that it throws ends the wait. */
  readonly isMet: (object: JsonObject | undefined) => boolean;
  /** Infinity for no limit. */
  readonly timeoutMs: number;
}

const firstPauseMs = 200;
const longestPauseMs = 15_000;
/** The longest time of a timer. */
const longestTimeoutMs = 2 ** 31 - 1;

/**
 * Waits by one list and a watch until a condition holds for an object, and resolves with the object. A watch that breaks is
 * resumed, a server that is busy or gone is asked again. Throws a `CommandError` after the time.
 */
export async function waitForObject(
  session: Pick<Session, 'client' | 'terminal'>,
  place: Place,
  { isMet, timeoutMs }: WaitOptions,
): Promise<JsonObject | undefined> {
  const { type, name } = place;
  const late = new AbortController();
  const timer = Number.isFinite(timeoutMs)
    ? setTimeout(() => late.abort(), Math.min(timeoutMs, longestTimeoutMs))
    : undefined;
  try {
    const signal = AbortSignal.any([late.signal, session.terminal.signal]);
    for await (const object of objectStates(session, place, signal)) if (isMet(object)) return object;
  } catch (error) {
    if (!late.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  session.terminal.signal.throwIfAborted();
  throw new CommandError(`timed out waiting for the condition on ${type.resource}/${name}`);
}

/** The object as it is and after each change, undefined while there is none, until the signal aborts. */
async function* objectStates(
  { client, terminal }: Pick<Session, 'client' | 'terminal'>,
  { type, namespace, name }: Place,
  signal: AbortSignal,
): AsyncIterable<JsonObject | undefined> {
  const selection: Selection = {
    path: resourcePath(type, namespace),
    labelSelector: '',
    fieldSelector: `metadata.name=${name}`,
    accept: 'application/json',
  };
  const tell = (error: unknown) => terminal.err(`${errorText(error)}\nResuming the watch.\n`);
  try {
    const start = await readStart();
    yield start.items[0]?.object;
    const options = { client, selection, watchAccept: selection.accept, start, signal };
    for await (const change of follow({ ...options, random: terminal.random, onBreak: tell }))
      yield change.type === 'DELETED' ? undefined : change.item.object;
  } catch (error) {
    // A type that is served no more has no objects.
    if (!(error instanceof StatusError && error.code === 404)) throw error;
    yield undefined;
  }

  async function readStart(): Promise<Page> {
    const backoff = new Backoff({
      firstMs: firstPauseMs,
      longestMs: longestPauseMs,
      random: terminal.random,
    });
    for (let isTold = false; ; isTold = true) {
      try {
        return await readAll({ json: request => client.json({ ...request, signal }) }, selection, 0);
      } catch (error) {
        if (signal.aborted || !canRetry(error)) throw error;
        if (!isTold) tell(error);
        await backoff.wait(signal);
      }
    }
  }
}
