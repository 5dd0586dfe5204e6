import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startServer } from '../applying/start-server.ts';
import { type Connection, connect } from '../load/connect.ts';
import { fillServer } from './fill-server.ts';
import { type HeavyRequest, heavyRequests } from './heavy-requests.ts';
import { type LivezProbe, startLivezProbe } from './livez-probe.ts';

/** How long a heavy request kept others waiting. */
export interface Stall {
  readonly name: string;
  /** Of the heavy answer; 0 when the connection ended without one. */
  readonly status: number;
  /** Of the heavy answer, to its last byte. */
  readonly seconds: number;
  readonly bytes: number;
  /** The longest answer of `/livez` meanwhile: the shortest of several runs, for what else runs on a machine adds to it. */
  readonly longestMs: number;
  readonly limitMs: number;
}

/** What is measured, and where. */
export interface StallOptions {
  /** Source tree of the server; default: this one. */
  readonly tree?: string;
  /** Parts of names of requests; default: all. */
  readonly only?: readonly string[];
  /** Runs of each request; default 3. */
  readonly runs?: number;
  readonly progress?: (stall: Stall, done: number, total: number) => void;
}

const settleMs = 300;
const mostClients = 16;

/** Runs every heavy request against a standalone server of its own, and asks it for `/livez` all the while. */
export async function measureStalls(options: StallOptions): Promise<Stall[]> {
  const { tree, only = [], runs = 3, progress } = options;
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-stalls-'));
  try {
    await using server = await startServer(directory, tree);
    await fillServer(server.target);
    await using probe = startLivezProbe(server.target);
    const connection = connect(server.target, mostClients);
    const wanted = heavyRequests.filter(
      ({ name }) => only.length === 0 || only.some(part => name.includes(part)),
    );
    const stalls: Stall[] = [];
    for (const request of wanted) {
      const stall = await measure({ connection, probe, request, runs });
      stalls.push(stall);
      progress?.(stall, stalls.length, wanted.length);
    }
    connection.close();
    return stalls;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure({ connection, probe, request, runs }: Measuring & { runs: number }): Promise<Stall> {
  let best: Stall | undefined;
  const { clients = 1 } = request;
  const bodies = Array.from({ length: clients }, (_, client) => request.body?.(client));
  for (let run = 0; run < runs; run++) {
    const before = request.before?.(run);
    if (before !== undefined) await prepare(connection, before);
    const stall = await measureOnce({ connection, probe, request }, bodies);
    if (best === undefined || stall.longestMs < best.longestMs) best = stall;
    // What is there no more cannot be deleted twice.
    if (request.method === 'DELETE') break;
  }
  if (best === undefined) throw new Error('at least one run is needed');
  return best;
}

async function prepare(
  connection: Connection,
  { path, body }: { readonly path: string; readonly body: Buffer },
): Promise<void> {
  const response = await connection.request({ method: 'POST', path, body });
  response.resume();
  await once(response, 'end');
}

interface Measuring {
  readonly connection: Connection;
  readonly probe: LivezProbe;
  readonly request: HeavyRequest;
}

async function measureOnce(
  { connection, probe, request }: Measuring,
  bodies: readonly (Buffer | undefined)[],
): Promise<Stall> {
  await delay(settleMs);
  await probe.reset();
  const started = performance.now();
  const answers = await Promise.all(bodies.map(body => send(connection, request, body)));
  const seconds = (performance.now() - started) / 1000;
  const longestMs = await probe.longest();
  // One that is not as it should be tells more than the others.
  const status = Math.max(...answers.map(answer => answer.status));
  const bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0);
  return { name: request.name, status, seconds, bytes, longestMs, limitMs: request.limit };
}

async function send(
  connection: Connection,
  { method, path, accept, type }: HeavyRequest,
  body: Buffer | undefined,
): Promise<{ status: number; bytes: number }> {
  let bytes = 0;
  try {
    const response = await connection.request({
      method,
      path,
      ...(accept && { accept }),
      ...(type && { type }),
      ...(body && { body }),
    });
    for await (const part of response) bytes += (part as Buffer).length; // A stream without an encoding gives buffers.
    return { status: response.statusCode ?? 0, bytes };
  } catch {
    // Refused before the whole body was read.
    return { status: 0, bytes };
  }
}
