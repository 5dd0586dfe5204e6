import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import { errorMessage } from '@binnacle/status-errors';

const namespaces = '/api/v1/namespaces';
const watcherCount = 4;
const writeIntervalMs = 50;

/** The outcome of the writes and watches during one fault. */
export interface FaultOutcome {
  readonly acknowledged: number;
  /** Requests that were sent once more, because their connection was cut or the server asked for it. */
  readonly retries: number;
  /** The reasons of the retries, each with the number of its requests. */
  readonly reasons: string;
  /** The longest time that a write took with its retries, in ms. */
  readonly longestWriteMs: number;
  /** The longest time between two events at one watcher, in ms. */
  readonly longestPauseMs: number;
  /** Number of times that a watch was resumed. */
  readonly resumed: number;
}

interface Watched {
  readonly object: { readonly metadata: { readonly name: string; readonly resourceVersion: string } };
}

/**
 * Writes objects one after the other and watches them, through clients that act like informers: failed requests are
 * retried, and a watch that ends resumes after the last event that it received.
 */
export class WatchedWrites implements AsyncDisposable {
  readonly #client: ApiClient;
  /** A namespace of its own: one that is being deleted takes no objects. */
  readonly #namespace: string;
  readonly #stopping = new AbortController();
  readonly #watchers: Watcher[];
  #running: Promise<unknown> = Promise.resolve();
  readonly #acknowledged: string[] = [];
  #reasons: string[] = [];
  #longestWriteMs = 0;

  private constructor(client: ApiClient, namespace: string, watchers: Watcher[]) {
    this.#client = client;
    this.#namespace = namespace;
    this.#watchers = watchers;
  }

  static async start(adminConfiguration: string): Promise<WatchedWrites> {
    const configuration = loadClientConfiguration(adminConfiguration);
    const client = createApiClient({ configuration, userAgent: 'verify', maxSockets: 4 });
    const namespace = `verify-${Date.now().toString(36)}`;
    await client.request({ method: 'POST', path: namespaces, body: { metadata: { name: namespace } } });
    const path = `${namespaces}/${namespace}/configmaps`;
    const list = await client.request<{ metadata: { resourceVersion: string } }>({ method: 'GET', path });
    const watchers = Array.from(
      { length: watcherCount },
      () => new Watcher(client, path, list.metadata.resourceVersion),
    );
    const writes = new WatchedWrites(client, namespace, watchers);
    const { signal } = writes.#stopping;
    writes.#running = Promise.all([writes.#write(signal), ...watchers.map(each => each.run(signal))]);
    await delay(2_000);
    return writes;
  }

  /** Resolves once every watcher has every write that was acknowledged, each once; throws when one does not come. */
  async outcome(): Promise<FaultOutcome> {
    const expected = [...this.#acknowledged];
    const end = performance.now() + 60_000;
    for (const watcher of this.#watchers) {
      while (expected.some(name => !watcher.seen.has(name))) {
        if (performance.now() > end) {
          const missing = expected.filter(name => !watcher.seen.has(name));
          throw new Error(`a watch misses ${missing.length} of ${expected.length}: ${missing.slice(0, 5)}`);
        }
        await delay(50);
      }
      if (watcher.repeated.length > 0) throw new Error(`a watch saw twice: ${watcher.repeated.slice(0, 5)}`);
    }
    const outcome = {
      acknowledged: expected.length,
      retries: this.#reasons.length,
      reasons: counted(this.#reasons),
      longestWriteMs: Math.round(this.#longestWriteMs),
      longestPauseMs: Math.round(Math.max(...this.#watchers.map(each => each.longestPauseMs))),
      resumed: this.#watchers.reduce((sum, each) => sum + each.resumed, 0),
    };
    this.#reasons = [];
    this.#longestWriteMs = 0;
    for (const watcher of this.#watchers) watcher.forgetFigures();
    return outcome;
  }

  async #write(signal: AbortSignal): Promise<void> {
    for (let number = 0; !signal.aborted; number++) {
      const name = `write-${number}`;
      const startedAt = performance.now();
      while (!(await this.#create(name)) && !signal.aborted) {
        await delay(50);
      }
      if (signal.aborted) return;
      this.#longestWriteMs = Math.max(this.#longestWriteMs, performance.now() - startedAt);
      this.#acknowledged.push(name);
      await delay(writeIntervalMs);
    }
  }

  async #create(name: string): Promise<boolean> {
    try {
      const path = `${namespaces}/${this.#namespace}/configmaps`;
      await this.#client.request({ method: 'POST', path, body: { metadata: { name } }, timeoutMs: 10_000 });
      return true;
    } catch (error) {
      // Written by the try before, whose answer did not come.
      if ((error as { code?: unknown }).code === 409) return true;
      this.#reasons.push(errorMessage(error));
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    const path = `${namespaces}/${this.#namespace}`;
    await this.#client.request({ method: 'DELETE', path }).catch(() => {});
    await this.#client[Symbol.asyncDispose]();
    await this.#running;
  }
}

function counted(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => `${count} × ${text}`).join(', ');
}

/** A watch that resumes after its last event whenever it ends. */
class Watcher {
  readonly seen = new Set<string>();
  readonly repeated: string[] = [];
  resumed = 0;
  longestPauseMs = 0;
  readonly #client: ApiClient;
  readonly #path: string;
  #version: string;
  #lastEventAt = performance.now();

  constructor(client: ApiClient, path: string, version: string) {
    this.#client = client;
    this.#path = path;
    this.#version = version;
  }

  forgetFigures(): void {
    this.resumed = 0;
    this.longestPauseMs = 0;
  }

  async run(signal: AbortSignal): Promise<void> {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      if (!isFirst) this.resumed++;
      try {
        const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${this.#version}`;
        for await (const message of this.#client.watch(`${this.#path}?${query}`, signal))
          this.#take(message.type, message as unknown as Watched); // Every object has a name and a version.
      } catch {
        await delay(50);
      }
    }
  }

  #take(type: string, { object: { metadata } }: Watched): void {
    this.#version = metadata.resourceVersion;
    if (type === 'BOOKMARK') return;
    if (type !== 'ADDED') return;
    const now = performance.now();
    this.longestPauseMs = Math.max(this.longestPauseMs, now - this.#lastEventAt);
    this.#lastEventAt = now;
    if (this.seen.has(metadata.name)) this.repeated.push(metadata.name);
    this.seen.add(metadata.name);
  }
}
