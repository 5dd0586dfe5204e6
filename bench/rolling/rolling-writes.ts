import { setTimeout as pause } from 'node:timers/promises';
import type { ApiObject } from '@binnacle/api-objects';
import type { LoadAnswer, LoadClient, LoadRequest } from './load-client.ts';

/** One write and its outcome. */
export interface Written {
  readonly verb: string;
  /** Milliseconds of the monotonic clock at which it was due. */
  readonly dueAt: number;
  /** Until the last answer. */
  readonly tookMs: number;
  /** The code of the first answer, or what was wrong with the connection. */
  readonly first: string;
  /** The same after one retry of 429 and 503. */
  readonly outcome: string;
  /** The message of the Status of a failure. */
  readonly message?: string;
}

/** Options of the writes. */
interface RollingWritesOptions {
  /** Each write is that of the next one. */
  readonly clients: readonly LoadClient[];
  /** Paths of collections of config maps, each of one namespace that holds none. */
  readonly collections: readonly string[];
  /** Writes that are not answered yet at most; without a limit by default. With it the rate is the most that a busy machine bears. */
  readonly mostPending?: number;
  /** Bytes of each object beside its metadata; 400 by default. */
  readonly objectBytes?: number;
}

/** An object that is changed again and again. */
interface Changed {
  readonly collection: string;
  readonly name: string;
  version: string;
  isBusy: boolean;
}

/** The name of a change in the sequence of a watch: its version, or for a deletion, whose answer has none, the object. */
export type ChangeKey = number | string;

/** A change that was acknowledged, and its collection. */
export interface Acknowledged {
  readonly collection: string;
  readonly key: ChangeKey;
  /** Milliseconds of the monotonic clock at which the write was due. */
  readonly dueAt: number;
}

/** Objects of each collection that are updated, and the one that is patched. */
const changedEach = 4;
const patchedName = 'patched';
const startAtOnce = 20;

/**
 * Writes at a given rate, whether or not those before were answered: creates, updates with a precondition, patches and
 * deletes in turn. A write that is answered with 429 or 503 is sent once more after its `Retry-After`.
 */
export class RollingWrites {
  readonly written: Written[] = [];
  readonly acknowledged: Acknowledged[] = [];
  /** Writes a second from the next one on. */
  perSecond = 1;
  readonly #options: RollingWritesOptions;
  readonly #padding: string;
  readonly #changed: Changed[] = [];
  readonly #deletable: Pick<Changed, 'collection' | 'name'>[] = [];
  readonly #pending = new Set<Promise<void>>();
  #number = 0;
  #isOver = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RollingWritesOptions) {
    this.#options = options;
    this.#padding = 'x'.repeat(options.objectBytes ?? 400);
  }

  /** Creates the objects that are changed. Watches that are to see each acknowledged change begin before. */
  async fill(): Promise<void> {
    const { collections } = this.#options;
    const names = Array.from({ length: changedEach }, (_, index) => `changed-${index}`);
    const all = [patchedName, ...names].flatMap(name =>
      collections.map(collection => ({ collection, name })),
    );
    for (let start = 0; start < all.length; start += startAtOnce)
      await Promise.all(
        all.slice(start, start + startAtOnce).map(async ({ collection, name }) => {
          const written = await this.#write('create', performance.now(), this.#create(collection, name));
          if (written.outcome !== '201')
            throw new Error(`an object is answered with ${written.outcome}: ${written.message}`);
          if (name === patchedName) return;
          this.#changed.push({ collection, name, version: written.version, isBusy: false });
        }),
      );
    this.written.length = 0;
  }

  /** Writes that are not answered yet. */
  get pending(): number {
    return this.#pending.size;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Begins no more writes; resolves when all are answered. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
    await Promise.all(this.#pending);
  }

  async #run(): Promise<void> {
    const { mostPending = Number.POSITIVE_INFINITY } = this.#options;
    for (let dueAt = performance.now(); !this.#isOver; dueAt += 1000 / this.perSecond) {
      const early = dueAt - performance.now();
      if (early > 1) await pause(early);
      if (this.#pending.size >= mostPending) {
        await Promise.race(this.#pending);
        dueAt = performance.now();
      }
      const one = this.#next(dueAt).finally(() => this.#pending.delete(one));
      this.#pending.add(one);
    }
  }

  /** The next write: of creates, updates, patches and deletes a quarter each. */
  async #next(dueAt: number): Promise<void> {
    const number = this.#number++;
    const { collections } = this.#options;
    const turn = number % 4;
    if (turn === 1) return await this.#update(dueAt);
    if (turn === 2) return await this.#patch(number, dueAt);
    const oldest = turn === 3 ? this.#deletable.shift() : undefined;
    if (oldest !== undefined) return await this.#delete(oldest, dueAt);
    const collection = collections[Math.floor(number / 4) % collections.length] ?? '';
    const name = `created-${number}`;
    const { outcome } = await this.#write('create', dueAt, this.#create(collection, name));
    if (outcome === '201') this.#deletable.push({ collection, name });
  }

  /** Replaces the object that was changed longest ago, at the version that it has. */
  async #update(dueAt: number): Promise<void> {
    const object = this.#changed.find(({ isBusy }) => !isBusy);
    if (object === undefined) return await this.#patch(this.#number, dueAt);
    this.#changed.push(...this.#changed.splice(this.#changed.indexOf(object), 1));
    object.isBusy = true;
    const { collection, name, version: resourceVersion } = object;
    const body = { metadata: { name, resourceVersion }, data: this.#data() };
    const request = { method: 'PUT', path: `${collection}/${name}`, body, collection };
    const { version } = await this.#write('update', dueAt, request);
    object.version = version || (await this.#readVersion(object));
    object.isBusy = false;
  }

  async #patch(number: number, dueAt: number): Promise<void> {
    const { collections } = this.#options;
    const collection = collections[Math.floor(number / 4) % collections.length] ?? '';
    // The others are updated, where a patch between would be a conflict.
    const path = `${collection}/${patchedName}`;
    const type = 'application/merge-patch+json';
    const body = { data: this.#data() };
    await this.#write('patch', dueAt, { method: 'PATCH', path, body, type, collection });
  }

  async #delete({ collection, name }: Pick<Changed, 'collection' | 'name'>, dueAt: number): Promise<void> {
    const request = { method: 'DELETE', path: `${collection}/${name}`, collection };
    const { outcome } = await this.#write('delete', dueAt, request);
    if (outcome === '200') this.acknowledged.push({ collection, key: name, dueAt });
  }

  #create(collection: string, name: string): LoadRequest & { readonly collection: string } {
    return {
      method: 'POST',
      path: collection,
      body: { metadata: { name }, data: this.#data() },
      collection,
    };
  }

  /** The moment, so that watchers in other processes of this machine know how long an event takes. */
  #data() {
    return { sent: (performance.timeOrigin + performance.now()).toFixed(1), padding: this.#padding };
  }

  async #write(
    verb: string,
    dueAt: number,
    { collection, ...request }: LoadRequest & { readonly collection: string },
  ): Promise<Written & { readonly version: string }> {
    const { clients } = this.#options;
    const client = clients[this.#number % clients.length];
    if (client === undefined) throw new Error('there are no clients');
    const one = await attempt(client, request);
    const mayRetry = one.answer?.code === 429 || one.answer?.code === 503;
    if (mayRetry) await pause(one.answer?.retryAfterMs ?? 0);
    const last = mayRetry ? await attempt(client, request) : one;
    const isDone = /^2/.test(last.outcome);
    const written: Written = {
      ...{ verb, dueAt, tookMs: performance.now() - dueAt, first: one.outcome, outcome: last.outcome },
      ...(!isDone && { message: last.answer?.text.slice(0, 300) ?? '' }),
    };
    this.written.push(written);
    const object =
      isDone && verb !== 'delete' ? (JSON.parse(last.answer?.text ?? '') as ApiObject) : undefined;
    const version = object?.metadata.resourceVersion ?? '';
    if (version !== '') this.acknowledged.push({ collection, key: Number(version), dueAt });
    return { ...written, version };
  }

  /** The version of an object after an update without an answer of its own. */
  async #readVersion({ collection, name, version }: Changed): Promise<string> {
    const [client] = this.#options.clients;
    const read = client && (await attempt(client, { method: 'GET', path: `${collection}/${name}` }));
    if (read?.answer?.code !== 200) return version;
    return (JSON.parse(read.answer.text) as ApiObject).metadata.resourceVersion ?? version;
  }
}

interface Attempt {
  readonly outcome: string;
  readonly answer?: LoadAnswer;
}

async function attempt(client: LoadClient, request: LoadRequest): Promise<Attempt> {
  try {
    const answer = await client.request(request);
    return { outcome: String(answer.code), answer };
  } catch (error) {
    return { outcome: error instanceof Error ? error.message : String(error) };
  }
}
