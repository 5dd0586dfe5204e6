import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiObject } from '@binnacle/api-objects';
import type { WatchMessage } from '@binnacle/client/testing';
import { StatusError } from '@binnacle/status-errors';
import type { WatchClient } from './plain-watches.ts';

/** Told of what a follower of a collection does, in order. */
interface FollowObserver {
  /** A watch is asked for, of what changes after a version. */
  onWatch(version: string): void;
  onMessage(message: WatchMessage): void;
  /** A watch has ended: with its error, or undefined where it was closed. */
  onEnd(error: unknown): void;
}

/** How a collection is followed. */
interface FollowOptions {
  /** The client of the next watch. */
  readonly nextClient: () => WatchClient;
  readonly collection: string;
  /** The version to begin at; asked again when the server no longer has the place (410), where it may say. */
  readonly begin: () => Promise<string>;
  /** More of the query of the next watch: `&timeoutSeconds=5`. */
  readonly query?: () => string;
  /** Milliseconds from the end of a watch to the next one; 10 when not given. */
  readonly retryMs?: number;
  readonly observer: FollowObserver;
  readonly signal: AbortSignal;
}

const goneCode = 410;

/** Follows a collection over one watch after the other, each beginning where the one before ended. */
export async function followCollection(options: FollowOptions): Promise<void> {
  const { collection, observer, signal, query = () => '', retryMs = 10 } = options;
  let version = await options.begin();
  while (!signal.aborted) {
    const path = `${collection}?watch=1&allowWatchBookmarks=true&resourceVersion=${version}${query()}`;
    const client = options.nextClient();
    observer.onWatch(version);
    let error: unknown;
    try {
      for await (const message of client.watch(path, signal)) {
        version = message.object.metadata.resourceVersion ?? version;
        observer.onMessage(message);
      }
    } catch (thrown) {
      error = signal.aborted ? undefined : thrown;
    }
    observer.onEnd(error);
    if (!signal.aborted) await sleep(retryMs);
    if (error instanceof StatusError && error.code === goneCode && !signal.aborted)
      version = await options.begin();
  }
}

/** A watch that goes on at the version that it saw last whenever its connection ends. */
export interface ResumingWatch {
  /** Names of the objects whose creation it saw, in order. */
  readonly seen: readonly string[];
  /** For each time that it ended: milliseconds from the end to the next message. */
  readonly gapsMs: readonly number[];
  /** Failures other than connections that ended. */
  readonly failures: readonly unknown[];
  stop(): Promise<void>;
}

/** Begins a watch of a collection that holds nothing yet. */
export async function startResumingWatch(client: WatchClient, collection: string): Promise<ResumingWatch> {
  const list = await client.request<ApiObject>({ method: 'GET', path: collection });
  const version = list.metadata.resourceVersion ?? '';
  const stopping = new AbortController();
  const seen: string[] = [];
  const gapsMs: number[] = [];
  const failures: unknown[] = [];
  let endedAt: number | undefined;
  const observer: FollowObserver = {
    onWatch: () => {},
    onMessage({ type, object }) {
      if (endedAt !== undefined) gapsMs.push(performance.now() - endedAt);
      endedAt = undefined;
      if (type === 'ADDED') seen.push(object.metadata.name ?? '');
    },
    onEnd(error) {
      if (error !== undefined && !isCut(error)) failures.push(error);
      endedAt ??= performance.now();
    },
  };
  const running = followCollection({
    nextClient: () => client,
    collection,
    begin: async () => version,
    observer,
    signal: stopping.signal,
  });
  return {
    seen,
    gapsMs,
    failures,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function isCut(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return /cannot reach|aborted/.test(String(error)) || code === 'ECONNRESET';
}
