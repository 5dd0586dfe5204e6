import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiObject } from '@binnacle/api-objects';
import type { WatchClient } from './plain-watches.ts';

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

const retryMs = 10;

/** Begins a watch of a collection that holds nothing yet. */
export async function startResumingWatch(client: WatchClient, collection: string): Promise<ResumingWatch> {
  const list = await client.request<ApiObject>({ method: 'GET', path: collection });
  let version = list.metadata.resourceVersion ?? '';
  const stopping = new AbortController();
  const seen: string[] = [];
  const gapsMs: number[] = [];
  const failures: unknown[] = [];
  let endedAt: number | undefined;
  const follow = async (): Promise<void> => {
    const path = `${collection}?watch=1&allowWatchBookmarks=true&resourceVersion=${version}`;
    for await (const { type, object } of client.watch(path, stopping.signal)) {
      if (endedAt !== undefined) gapsMs.push(performance.now() - endedAt);
      endedAt = undefined;
      version = object.metadata.resourceVersion ?? version;
      if (type === 'ADDED') seen.push(object.metadata.name ?? '');
    }
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await follow().catch((error: unknown) => {
        if (!stopping.signal.aborted && !isCut(error)) failures.push(error);
      });
      endedAt ??= performance.now();
      if (!stopping.signal.aborted) await sleep(retryMs);
    }
  })();
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
