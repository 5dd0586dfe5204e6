import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { findMedian } from '../encoding/figures.ts';
import { type Connection, connect } from '../load/connect.ts';
import { readProcessUsage } from '../measure/process-usage.ts';
import { type StandaloneServer, startServer } from './start-server.ts';

const collection = '/apis/apps/v1/namespaces/default/deployments';
const objects = 20;
const requestsPerRound = 400;
const connections = 8;
/** The first round is not counted: code is compiled in it. */
const rounds = 6;

/** One kind of write: the creation of the objects, and the change of one. */
interface Write {
  readonly prefix: string;
  change(name: string, turn: number): WriteRequest;
}

interface WriteRequest {
  readonly query?: string;
  readonly type: string;
  readonly body: JsonValue;
}

const applies: Write = {
  prefix: 'applied',
  change: (name, turn) => ({
    query: '?fieldManager=bench',
    type: 'application/apply-patch+yaml',
    body: deploymentOfFortyFields(name, turn),
  }),
};

const mergePatches: Write = {
  prefix: 'patched',
  change: (_, turn) => ({
    type: 'application/merge-patch+json',
    body: { metadata: { annotations: { 'example.com/turn': String(turn) } } },
  }),
};

/** Measurements of one kind of write: requests a second, and CPU of the server for each, by round. */
interface Measured {
  readonly rates: number[];
  readonly cpuMicros: number[];
}

/**
 * Applies of an object with forty fields, one of which changes, beside merge patches of that field, over HTTP against
 * one server, in turns.
 */
export async function measureRequests() {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-bench-'));
  try {
    await using server = await startServer(directory);
    const connection = connect(server.target, connections);
    await createObjects(connection);
    const applied: Measured = { rates: [], cpuMicros: [] };
    const patched: Measured = { rates: [], cpuMicros: [] };
    for (let round = 0; round < rounds; round++) {
      await runRound({ connection, server, write: mergePatches, round, measured: patched });
      await runRound({ connection, server, write: applies, round, measured: applied });
    }
    connection.close();
    return {
      applied,
      patched,
      ratios: applied.rates.map((rate, i) => rate / (patched.rates[i] ?? Number.NaN)),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function createObjects(connection: Connection): Promise<void> {
  for (let number = 0; number < objects; number++) {
    const patched = deploymentOfFortyFields(`${mergePatches.prefix}-${number}`, 0);
    await send(connection, { method: 'POST', path: collection, type: 'application/json', body: patched });
    await sendChange(connection, applies, { number, turn: 0 });
  }
}

async function runRound(run: {
  readonly connection: Connection;
  readonly server: StandaloneServer;
  readonly write: Write;
  readonly round: number;
  readonly measured: Measured;
}): Promise<void> {
  const { connection, server, write, round, measured } = run;
  const before = readProcessUsage(server.pid).cpuMicros;
  const started = performance.now();
  let next = 0;
  async function sendInTurn(): Promise<void> {
    for (let index = next++; index < requestsPerRound; index = next++) {
      await sendChange(connection, write, {
        number: index % objects,
        turn: round * requestsPerRound + index + 1,
      });
    }
  }
  await Promise.all(Array.from({ length: connections }, sendInTurn));
  if (round === 0) return;
  measured.rates.push((requestsPerRound * 1000) / (performance.now() - started));
  measured.cpuMicros.push((readProcessUsage(server.pid).cpuMicros - before) / requestsPerRound);
}

async function sendChange(
  connection: Connection,
  write: Write,
  { number, turn }: { readonly number: number; readonly turn: number },
): Promise<void> {
  const name = `${write.prefix}-${number}`;
  const { query = '', ...change } = write.change(name, turn);
  await send(connection, { method: 'PATCH', path: `${collection}/${name}${query}`, ...change });
}

async function send(
  connection: Connection,
  request: {
    readonly method: string;
    readonly path: string;
    readonly type: string;
    readonly body: JsonValue;
  },
): Promise<void> {
  const response = await connection.request({ ...request, body: Buffer.from(JSON.stringify(request.body)) });
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer); // A stream without an encoding gives buffers.
  const code = response.statusCode ?? 0;
  if (code >= 300) throw new Error(`${request.method} ${request.path}: ${code} ${Buffer.concat(parts)}`);
}

/** Formats the measurements of one kind of write. */
export function usageText({ rates, cpuMicros }: Measured): string {
  const rate = Math.round(findMedian(rates)).toLocaleString('en');
  const micros = Math.round(findMedian(cpuMicros)).toLocaleString('en');
  return `${rate} a second, ${micros} µs of the server's processor time each`;
}

const labels = { 'app.example.com/name': 'web', 'app.example.com/part': 'front' };

/** A Deployment with forty values, its identity not among them; `turn` stands in one. */
function deploymentOfFortyFields(name: string, turn: number): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels, annotations: { 'example.com/turn': String(turn) } },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 30,
          serviceAccountName: 'web',
          nodeSelector: { zone: 'a' },
          containers: [container('web', 8080), container('proxy', 9090)],
          volumes: [{ name: 'data', configMap: { name: 'web-data' } }],
        },
      },
    },
  };
}

function container(name: string, port: number): JsonObject {
  return {
    name,
    image: `registry.example/shop/${name}:1.27.3`,
    args: ['--verbose'],
    ports: [{ name: 'http', containerPort: port }],
    env: [{ name: 'MODE', value: 'production' }],
    resources: { limits: { cpu: '500m', memory: '256Mi' } },
    readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 10 },
  };
}
