import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../load/connect.ts';
import type { LoadProcess } from '../load/load-process.ts';
import type { LoadTarget, RequestLoad } from '../load/protocol.ts';
import { readCollection } from '../load/read-collection.ts';
import type { Setting } from './axes.ts';

/** A label of all objects. */
export const commonLabel = { tier: 'growth' };
/** A label of the first few objects, however many there are. */
export const rareLabel = { rare: 'yes' };
const rareObjects = 10;

const namespacesAtOnce = 16;
const quietMs = 1_000;
const quietTimeoutMs = 180_000;
const connections = 16;

/** The objects that an axis works on, in namespaces of their own. */
export class GrowthObjects {
  readonly #target: LoadTarget;
  readonly #prefix: string;
  readonly #process: LoadProcess;
  #namespaces = 0;
  #objects = 0;

  constructor(options: {
    readonly target: LoadTarget;
    readonly prefix: string;
    readonly process: LoadProcess;
  }) {
    this.#target = options.target;
    this.#prefix = options.prefix;
    this.#process = options.process;
  }

  /** Number of objects. */
  get count(): number {
    return this.#objects;
  }

  /** A load of requests to them. */
  load(
    setting: Setting,
    load: Pick<RequestLoad, 'operation' | 'requests'> & Partial<RequestLoad>,
  ): RequestLoad {
    return {
      kind: 'requests',
      target: this.#target,
      collection: `/api/v1/namespaces/${this.#prefix}-{n}/configmaps`,
      namespaces: setting.namespaces,
      objects: this.#objects,
      objectBytes: setting.objectBytes,
      labels: commonLabel,
      connections,
      rate: 0,
      query: '',
      run: this.#prefix,
      ...load,
    };
  }

  /** The path of the collection that has all of them. */
  pathOfAll({ namespaces }: Setting): string {
    return namespaces === 1 ? `/api/v1/namespaces/${this.#prefix}-0/configmaps` : '/api/v1/configmaps';
  }

  /** Makes the namespaces of a setting, and waits until controllers have added their objects to them. */
  async createNamespaces(setting: Setting): Promise<void> {
    if (this.#namespaces >= setting.namespaces) return;
    const connection = connect(this.#target, namespacesAtOnce);
    const createInTurn = async (): Promise<void> => {
      while (this.#namespaces < setting.namespaces) {
        const metadata = { name: `${this.#prefix}-${this.#namespaces++}` };
        const body = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata }));
        const response = await connection.request({ method: 'POST', path: '/api/v1/namespaces', body });
        for await (const _ of response);
        if (response.statusCode !== 201)
          throw new Error(`the namespace ${metadata.name} was answered with ${response.statusCode}`);
      }
    };
    await Promise.all(Array.from({ length: namespacesAtOnce }, createInTurn)).finally(() =>
      connection.close(),
    );
    await this.#waitForQuiet();
  }

  /** Creates objects until there are so many. */
  async fill(setting: Setting, objects: number): Promise<void> {
    if (this.#objects < rareObjects) {
      const requests = Math.min(rareObjects, objects) - this.#objects;
      await this.#create(setting, requests, { labels: { ...commonLabel, ...rareLabel } });
    }
    await this.#create(setting, objects - this.#objects, {});
  }

  /** Counts objects that a load of requests has created. */
  created(count: number): void {
    this.#objects += count;
  }

  /** Deletes all of them. */
  async clear(setting: Setting): Promise<void> {
    const load = this.load(setting, { operation: 'delete', requests: this.#objects });
    assertNoFailures('delete', await this.#process.run(load));
    this.#objects = 0;
    await this.#waitForQuiet();
  }

  async #create(setting: Setting, requests: number, load: Partial<RequestLoad>): Promise<void> {
    if (requests <= 0) return;
    const creates = this.load(setting, { operation: 'create', requests, first: this.#objects, ...load });
    assertNoFailures('create', await this.#process.run(creates));
    this.#objects += requests;
  }

  /** Waits until the number of config maps stays as it is. */
  async #waitForQuiet(): Promise<void> {
    const end = performance.now() + quietTimeoutMs;
    const count = async () => (await readCollection(this.#target, '/api/v1/configmaps')).objects;
    for (let [last, unchanged] = [await count(), 0]; unchanged < 2; ) {
      if (performance.now() > end) throw new Error('the number of config maps does not settle');
      await delay(quietMs);
      const now = await count();
      unchanged = now === last ? unchanged + 1 : 0;
      last = now;
    }
  }
}

function assertNoFailures(
  what: string,
  { failures }: { readonly failures: Readonly<Record<string, number>> },
): void {
  if (Object.keys(failures).length > 0)
    throw new Error(`objects that a step needs (${what}): ${JSON.stringify(failures)}`);
}
