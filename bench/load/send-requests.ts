import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, connect } from './connect.ts';
import type { RequestLoad } from './protocol.ts';

/** The outcome of the requests. */
export interface RequestOutcome {
  readonly latencies: readonly number[];
  readonly bytes: number;
  /** Numbers of answers other than success, by code. */
  readonly failures: Record<string, number>;
}

const progressEvery = 100;
/** Objects have a label of a hundred values and one of ten, so that selectors choose a known share. */
const labelValues = 100;
const shards = 10;

/** Sends the requests of a load over its connections. */
export async function sendRequests(
  load: RequestLoad,
  onProgress: (done: number) => void,
): Promise<RequestOutcome> {
  const connection = connect(load.target, load.connections);
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  let bytes = 0;
  let next = 0;
  const started = performance.now();
  async function sendInTurn(): Promise<void> {
    for (let index = next++; index < load.requests; index = next++) {
      if (load.rate > 0) await delay(Math.max(0, started + (index * 1000) / load.rate - performance.now()));
      const sentAt = performance.now();
      const { code, size } = await sendOne(connection, load, index).catch(brokenOff);
      latencies.push(performance.now() - sentAt);
      bytes += size;
      if (typeof code === 'string' || code >= 300) failures[code] = (failures[code] ?? 0) + 1;
      if (latencies.length % progressEvery === 0) onProgress(latencies.length);
    }
  }
  await Promise.all(Array.from({ length: load.connections }, sendInTurn));
  connection.close();
  return { latencies, bytes, failures };
}

/** A request whose connection broke has the code of that error. */
function brokenOff(error: unknown): { code: string; size: number } {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return { code: error.code, size: 0 };
  throw error;
}

async function sendOne(
  connection: Connection,
  load: RequestLoad,
  index: number,
): Promise<{ code: number; size: number }> {
  const isInOrder = load.operation === 'create' || load.operation === 'delete';
  const number = isInOrder ? (load.first ?? 0) + index : (index * 7919) % load.objects;
  const { namespaces } = load;
  const collection =
    namespaces === undefined ? load.collection : load.collection.replace('{n}', String(number % namespaces));
  const item = `${collection}/object-${number}`;
  const request = {
    create: () => ({ method: 'POST', path: collection, body: objectBody(load, number) }),
    delete: () => ({ method: 'DELETE', path: item }),
    get: () => ({ method: 'GET', path: item }),
    list: () => ({ method: 'GET', path: collection + load.query }),
    update: () => ({ method: 'PUT', path: item, body: objectBody(load, number, index) }),
    patch: () => ({
      method: 'PATCH',
      path: item,
      type: 'application/merge-patch+json',
      body: Buffer.from(JSON.stringify({ data: { run: load.run, sent: stamp(), number: String(index) } })),
    }),
    apply: () => ({
      method: 'PATCH',
      path: `${item}?fieldManager=bench&force=true`,
      type: 'application/apply-patch+yaml',
      body: configuration(load, number, index),
    }),
  }[load.operation]();
  const { traceFlags = [] } = load;
  const flags = traceFlags[index % traceFlags.length] ?? '';
  const traceparent = flags === '' ? undefined : createTraceparent(flags);
  const response = await connection.request({ ...request, traceparent });
  let size = 0;
  for await (const part of response) size += (part as Buffer).length; // A stream without an encoding gives buffers.
  return { code: response.statusCode ?? 0, size };
}

function createTraceparent(flags: string): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-${flags}`;
}

function objectBody(load: RequestLoad, number: number, change = 0): Buffer {
  return Buffer.from(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: `object-${number}`,
        labels: { app: `app-${number % labelValues}`, shard: `shard-${number % shards}`, ...load.labels },
      },
      data: { run: load.run, sent: stamp(), number: String(change), padding: 'x'.repeat(load.objectBytes) },
    }),
  );
}

/** The configuration that one field manager applies: some of the fields of an object. */
function configuration(load: RequestLoad, number: number, change: number): Buffer {
  return Buffer.from(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `object-${number}` },
      data: { run: load.run, sent: stamp(), number: String(change) },
    }),
  );
}

/** The moment of sending, which watchers in other processes of this machine can subtract from theirs. */
function stamp(): string {
  return (performance.timeOrigin + performance.now()).toFixed(3);
}
