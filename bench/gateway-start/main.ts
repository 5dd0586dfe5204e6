import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@binnacle/backends';
import { type Distributed, startDistributed } from '@binnacle/compose';
import { integerFlag, parseFlags } from '@binnacle/flags';
import { pkiPaths } from '@binnacle/tls';

const flags = parseFlags({
  seconds: integerFlag({
    description: 'Seconds of writes before gateways are started; the history window is five minutes.',
    default: 300,
    min: 1,
  }),
  rate: integerFlag({ description: 'Writes a second before gateways are started.', default: 500, min: 1 }),
  rateMeanwhile: integerFlag({
    description: 'Writes a second while gateways are started under writes.',
    default: 130,
    min: 1,
  }),
  bytes: integerFlag({ description: 'Bytes of data of each object.', default: 4096, min: 1 }),
  objects: integerFlag({
    description: 'Objects that are written, one after the other.',
    default: 5000,
    min: 1,
  }),
  starts: integerFlag({
    description: 'Starts without writes, and as many under writes.',
    default: 3,
    min: 1,
  }),
});

const collection = '/api/v1/namespaces/default/configmaps';
const token = 'gateway-start';
const mostUnderWay = 64;
/** The quota of the compose file; a window of the default is 600 MB of values. */
const etcdQuotaBytes = 4 * 2 ** 30;

/** Measures the time from a gateway's start to its readiness once the feed holds a history of writes. */
async function main(directory: string): Promise<void> {
  const tokenAuthFile = join(directory, 'tokens.csv');
  await writeFile(tokenAuthFile, `${token},writer,writer,system:masters\n`, { mode: 0o600 });
  const dataDirectory = join(directory, 'form');
  await using form = await startDistributed({
    dataDirectory,
    port: await findFreePort(),
    tokenAuthFile,
    etcdQuotaBytes,
  });
  const ca = await readFile(pkiPaths(join(dataDirectory, 'pki')).caFile);
  const writer = new Writer(form.gateways[0] ?? '', ca);
  console.log('fresh'.padEnd(28), await timesOfStarts(form));
  const written = await writer.write(flags.rate, pause(flags.seconds * 1000));
  console.log(
    `${written} writes of ${flags.bytes} bytes in ${flags.seconds} s, failed: ${JSON.stringify([...writer.failures])}`,
  );
  console.log('after them'.padEnd(28), await timesOfStarts(form));
  const starts = timesOfStarts(form);
  const meanwhile = await writer.write(flags.rateMeanwhile, starts);
  console.log(`under writes (${meanwhile})`.padEnd(28), await starts);
}

async function timesOfStarts(form: Distributed): Promise<string> {
  const gateway = form.process('gateway-2');
  const times: string[] = [];
  for (let start = 0; start < flags.starts; start++) {
    await gateway.kill();
    const startedAt = performance.now();
    await gateway.restart();
    times.push(((performance.now() - startedAt) / 1000).toFixed(2));
    await pause(1000);
  }
  return `ready after ${times.join(', ')} s`;
}

/** Writes whole objects in turn, at a rate while the server keeps up. */
class Writer {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: mostUnderWay });
  readonly #server: string;
  readonly #ca: Buffer;
  #number = 0;
  /** Numbers of failed writes, by the code of the answer or of the error. */
  readonly failures = new Map<string, number>();

  constructor(server: string, ca: Buffer) {
    this.#server = server;
    this.#ca = ca;
  }

  /** Writes until that has ended; resolves with the number of writes. */
  async write(perSecond: number, end: Promise<unknown>): Promise<number> {
    let isOver = false;
    const ending = end.finally(() => {
      isOver = true;
    });
    const underWay = new Set<Promise<void>>();
    const startedAt = performance.now();
    let begun = 0;
    while (!isOver) {
      for (; begun < ((performance.now() - startedAt) / 1000) * perSecond && !isOver; begun++) {
        if (underWay.size >= mostUnderWay) await Promise.race(underWay);
        const writing = this.#writeNext().finally(() => underWay.delete(writing));
        underWay.add(writing);
      }
      await pause(5);
    }
    await Promise.all(underWay);
    await ending;
    return begun;
  }

  #failed(code: string): void {
    this.failures.set(code, (this.failures.get(code) ?? 0) + 1);
  }

  async #writeNext(): Promise<void> {
    const number = this.#number++;
    const name = `start-${number % flags.objects}`;
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { number: `${number}`, text: 'x'.repeat(flags.bytes) },
    };
    const [method, path] = number < flags.objects ? ['POST', collection] : ['PUT', `${collection}/${name}`];
    const { promise, resolve } = Promise.withResolvers<void>();
    const sent = request(`${this.#server}${path}`, {
      method,
      ca: this.#ca,
      agent: this.#agent,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      timeout: 30_000,
    });
    sent.on('response', response => {
      if ((response.statusCode ?? 0) >= 300) this.#failed(`${response.statusCode}`);
      response.resume().on('close', resolve);
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', (error: NodeJS.ErrnoException) => {
      this.#failed(error.code ?? error.message);
      resolve();
    });
    sent.end(JSON.stringify(body));
    return promise;
  }
}

const directory = await mkdtemp(join(tmpdir(), 'binnacle-gateway-start-'));
try {
  await main(directory);
} finally {
  await rm(directory, { recursive: true, force: true });
}
