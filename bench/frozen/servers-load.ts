import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import type { Sent } from './open-load.ts';

const collection = '/api/v1/namespaces/default/configmaps';
const perSecond = 10;

/** Requests at a fixed rate of one client with several servers, as controllers send them: reads, creations and updates. */
export class ServersLoad {
  readonly #client: ApiClient;
  readonly #run = `s${Date.now().toString(36)}`;
  #number = 0;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** Sends for so many seconds; resolves when all is answered. */
  async run(seconds: number): Promise<readonly Sent[]> {
    const startedAt = performance.now();
    const pending: Promise<Sent>[] = [];
    for (let index = 0; index < seconds * perSecond; index++) {
      const dueAt = startedAt + (index * 1000) / perSecond;
      await pause(Math.max(0, dueAt - performance.now()));
      pending.push(this.#send(this.#number++, dueAt));
    }
    return await Promise.all(pending);
  }

  async #send(number: number, dueAt: number): Promise<Sent> {
    const name = `${this.#run}-${number}`;
    const item = `${collection}/${name}`;
    const sent = (verb: string, outcome: string) => ({
      verb,
      dueAt,
      tookMs: performance.now() - dueAt,
      outcome,
    });
    const client = this.#client;
    if (number % 2 === 0) {
      const read = client.request({ method: 'GET', path: `${collection}?limit=5` });
      return sent('list', await outcomeFromAnswer(read));
    }
    const object = { metadata: { name, resourceVersion: '' } };
    const written = client
      .request<typeof object>({ method: 'POST', path: collection, body: { metadata: { name } } })
      .then(({ metadata: { resourceVersion } }) => {
        const body = { metadata: { name, resourceVersion }, data: { number: String(number) } };
        return client.request({ method: 'PUT', path: item, body });
      });
    return sent('write', await outcomeFromAnswer(written));
  }
}

function outcomeFromAnswer(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    () => '200',
    error => (error instanceof StatusError ? String(error.code) : String(error)),
  );
}
