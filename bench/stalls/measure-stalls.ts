import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startServer } from '../applying/start-server.ts';
import { type Connection, connect } from '../load/connect.ts';
import type { LoadTarget } from '../load/protocol.ts';
import { fillServer } from './fill-server.ts';
import type { HeavyAnswer, HeavyRequest, SentRequest } from './heavy-request.ts';
import { heavyRequests } from './heavy-requests.ts';
import { startHooks } from './hook-server.ts';
import { startWaitProbe, type WaitProbe } from './wait-probe.ts';

/** The time for which a heavy request delayed others. */
export interface Stall extends HeavyAnswer {
  readonly name: string;
  /** Time of the heavy answer, to its last byte. */
  readonly seconds: number;
  /**
   * The longest wait of another client meanwhile: the median of several runs, since other load on the machine adds to
   * it.
   */
  readonly longestMs: number;
  readonly limitMs: number;
}

/** The sizes and the target of a measurement. */
interface StallOptions {
  /** Source tree of the server; default: this one. */
  readonly tree?: string;
  /** Parts of names of requests; default: all. */
  readonly only?: readonly string[];
  /** Runs of each request; default 5. */
  readonly runs?: number;
  readonly progress?: (stall: Stall, done: number, total: number) => void;
}

/** Longest time, in ms, that a request may delay others. */
const limitMs = 50;
const settleMs = 300;
/** Pause after the preparation of a request, in which webhooks and definitions are followed. */
const setupMs = 2_000;
const mostClients = 16;

/** Runs every heavy request against a standalone server of its own, beside a client that reads a small object all the while. */
export async function measureStalls(options: StallOptions): Promise<Stall[]> {
  const { tree, only = [], runs = 5, progress } = options;
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-stalls-'));
  try {
    await using server = await startServer(join(directory, 'server'), tree);
    await using hooks = await startHooks(join(directory, 'hooks'));
    await fillServer(server.target);
    await using probe = startWaitProbe(server.target);
    const connection = connect(server.target, mostClients);
    const wanted = heavyRequests.filter(
      ({ name }) => only.length === 0 || only.some(part => name.includes(part)),
    );
    const stalls: Stall[] = [];
    const prepared = new Set<unknown>();
    for (const request of wanted) {
      const { setup } = request;
      if (setup !== undefined && !prepared.has(setup)) {
        prepared.add(setup);
        await prepare(connection, setup(hooks));
        await delay(setupMs);
      }
      const stall = await measure({ connection, probe, request, target: server.target }, runs);
      stalls.push(stall);
      progress?.(stall, stalls.length, wanted.length);
    }
    connection.close();
    return stalls;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

interface Measuring {
  readonly connection: Connection;
  readonly probe: WaitProbe;
  readonly request: HeavyRequest;
  readonly target: LoadTarget;
}

async function measure(measuring: Measuring, runs: number): Promise<Stall> {
  const { connection, request } = measuring;
  const stalls: Stall[] = [];
  for (let run = 0; run < (request.isOnce ? 1 : runs); run++) {
    await prepare(connection, request.before?.(run) ?? []);
    stalls.push(await measureOnce(measuring, run));
  }
  stalls.sort((one, other) => one.longestMs - other.longestMs);
  const median = stalls[Math.floor(stalls.length / 2)];
  if (median === undefined) throw new Error('at least one run is needed');
  return median;
}

/** Preparing requests that are under way at once, where they are many. */
const preparedAtOnce = 8;

async function prepare(connection: Connection, requests: Iterable<SentRequest>): Promise<void> {
  // The first ones create the namespaces and kinds of the others.
  const ordered = 4;
  const shared = requests[Symbol.iterator]();
  for (let done = 0; done < ordered; done++) {
    const { value } = shared.next();
    if (value === undefined) return;
    await prepareOne(connection, value);
  }
  const rest: Iterable<SentRequest> = { [Symbol.iterator]: () => ({ next: () => shared.next() }) };
  const worker = async (): Promise<void> => {
    for (const one of rest) await prepareOne(connection, one);
  };
  await Promise.all(Array.from({ length: preparedAtOnce }, worker));
}

/** Makes one object unless it exists already; a kind is served a moment after its definition was made. */
async function prepareOne(connection: Connection, request: SentRequest): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const response = await connection.request(request);
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer); // A stream without an encoding gives buffers.
    const { statusCode = 0 } = response;
    if (statusCode < 300 || statusCode === 409) return;
    if (statusCode !== 404 || attempt > 50)
      throw new Error(`${request.method} ${request.path}: ${Buffer.concat(parts).toString().slice(0, 500)}`);
    await delay(100);
  }
}

async function measureOnce({ connection, probe, request, target }: Measuring, run: number): Promise<Stall> {
  const { clients = 1, send: flood } = request;
  const bodies = Array.from({ length: clients }, (_, client) => request.body?.(client, run));
  await delay(settleMs);
  await probe.reset();
  const started = performance.now();
  const answers =
    flood === undefined
      ? await Promise.all(bodies.map(body => send(connection, request, body)))
      : [await flood(target)];
  const seconds = (performance.now() - started) / 1000;
  await delay(request.settleMs ?? 0);
  const longestMs = await probe.longest();
  // An unexpected status is more useful than the others.
  const status = Math.max(...answers.map(answer => answer.status));
  const bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0);
  return { name: request.name, status, seconds, bytes, longestMs, limitMs };
}

async function send(
  connection: Connection,
  { method, path, accept, type }: HeavyRequest,
  body: Buffer | undefined,
): Promise<HeavyAnswer> {
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
