import { isJsonObject } from '@binnacle/api-objects';
import { type DirectClient, ServerUnreachable, type WatchMessage } from '@binnacle/client';
import { Backoff } from '@binnacle/event-loop';
import { StatusError } from '@binnacle/status-errors';
import { type Column, type Item, type Page, pageFrom } from './page.ts';
import { readAll, type Selection, withQuery } from './read-objects.ts';

/** A change of an object. */
interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly item: Item;
  /** The columns of its Table, where they have just come. */
  readonly columns: readonly Column[] | undefined;
}

/** The collection to follow, and the start. */
interface FollowOptions {
  readonly client: Pick<DirectClient, 'json' | 'watch'>;
  readonly selection: Selection;
  /** Media type of the events. */
  readonly watchAccept: string;
  /** The state to begin at. */
  readonly start: Page;
  readonly signal: AbortSignal;
  readonly random: () => number;
  /** A watch broke off and is opened anew, or the state is read anew. */
  readonly onBreak: (error: unknown) => void;
}

const firstPauseMs = 200;
const longestPauseMs = 15_000;
const chunkSize = 500;

/**
 * Every change of a collection after a state, until the signal aborts. A watch that ends is resumed. When the server
 * no longer has its version (410), the state is read anew, and the differences from the last known one are changes.
 * Throws errors that a retry cannot help, such as refusals.
 */
export async function* follow(options: FollowOptions): AsyncIterable<Change> {
  const { signal, start } = options;
  const seen = new Map(start.items.map(item => [keyFromItem(item), item]));
  let { resourceVersion } = start;
  // A watch that breaks for the first time is opened again at once.
  const backoff = new Backoff({
    firstMs: firstPauseMs * 2,
    longestMs: longestPauseMs,
    random: options.random,
  });
  let failures = 0;
  let breakIsTold = false;
  while (!signal.aborted) {
    try {
      for await (const message of watchFrom(options, resourceVersion)) {
        failures = 0;
        backoff.reset();
        breakIsTold = false;
        resourceVersion = versionIn(message) || resourceVersion;
        yield* note(seen, message);
      }
      failures++; // A watch that the server ends at once is opened after a pause.
    } catch (error) {
      if (signal.aborted) return;
      if (!canRetry(error)) throw error;
      if (!breakIsTold) options.onBreak(error);
      breakIsTold = true;
      failures++;
      if (isExpired(error)) {
        const page = await readAnew(options).catch(cause => {
          if (!canRetry(cause)) throw cause;
          return undefined;
        });
        if (page !== undefined) {
          yield* differences(seen, page);
          resourceVersion = page.resourceVersion;
        }
      }
    }
    if (failures > 1) await backoff.wait(signal);
  }
}

function watchFrom({ client, selection, watchAccept, signal }: FollowOptions, resourceVersion: string) {
  const path = withQuery(selection, { watch: 'true', allowWatchBookmarks: 'true', resourceVersion });
  return client.watch({ method: 'GET', path, accept: watchAccept, signal });
}

function readAnew({ client, selection }: FollowOptions): Promise<Page> {
  return readAll(client, selection, chunkSize);
}

function* note(seen: Map<string, Item>, message: WatchMessage): Iterable<Change> {
  const { type } = message;
  if (type === 'BOOKMARK') return;
  const { items, columns } = pageFrom(documentIn(message));
  for (const item of items) {
    if (type === 'DELETED') seen.delete(keyFromItem(item));
    else seen.set(keyFromItem(item), item);
    yield { type, item, columns };
  }
}

function* differences(seen: Map<string, Item>, page: Page): Iterable<Change> {
  const present = new Set(page.items.map(keyFromItem));
  const columns = page.columns;
  for (const [key, item] of seen) {
    if (present.has(key)) continue;
    seen.delete(key);
    yield { type: 'DELETED', item, columns };
  }
  for (const item of page.items) {
    const before = seen.get(keyFromItem(item));
    if (before?.metadata.resourceVersion === item.metadata.resourceVersion) continue;
    seen.set(keyFromItem(item), item);
    yield { type: before === undefined ? 'ADDED' : 'MODIFIED', item, columns };
  }
}

/** A new object of the same name is another one. */
function keyFromItem({ metadata: { namespace, name, uid } }: Item): string {
  return `${namespace}/${name}/${uid}`;
}

function documentIn({ object }: WatchMessage) {
  const document: unknown = object;
  return isJsonObject(document) ? document : {};
}

function versionIn(message: WatchMessage): string {
  const page = pageFrom(documentIn(message));
  return page.items.at(-1)?.metadata.resourceVersion || page.resourceVersion;
}

/** Whether a request that has failed may succeed later. */
export function canRetry(error: unknown): boolean {
  if (error instanceof ServerUnreachable) return true;
  return error instanceof StatusError && (error.code >= 500 || error.code === 429 || isExpired(error));
}

function isExpired(error: unknown): boolean {
  return error instanceof StatusError && error.code === 410;
}
