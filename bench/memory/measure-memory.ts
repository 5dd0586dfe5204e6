import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, pollUntil } from '@binnacle/backends';
import { connect } from '../load/connect.ts';
import { LoadProcess } from '../load/load-process.ts';
import type { LoadTarget, RequestLoad } from '../load/protocol.ts';
import { attachMeasuredServer } from '../server/measured-server.ts';
import type { MemoryCommand, ToldMemory } from './tell-memory.ts';

interface MemoryOptions {
  readonly objects: number;
  readonly objectBytes: number;
  /** Updates of different objects, after all of them were created. */
  readonly updates: number;
  readonly connections: number;
  /** Where a heap snapshot is written at the end. */
  readonly snapshotFile: string | undefined;
  /** The source tree of the server; this one by default. */
  readonly tree: string | undefined;
}

/** Memory at one moment, in megabytes. */
interface MemoryRow {
  readonly when: string;
  /** Resident, before a collection of garbage. */
  readonly resident: number;
  /** Resident after it, and its parts. */
  readonly collected: number;
  /** JavaScript objects. */
  readonly heapUsed: number;
  /** Bytes that the heap has reserved beside. */
  readonly heapUnused: number;
  /** Bytes of buffers. */
  readonly buffers: number;
  /** Pages of files: the store's map, the program. */
  readonly files: number;
  /** Everything else: native memory and what the allocator keeps. */
  readonly others: number;
}

const mainFile = 'services/standalone/main.ts';
const sources = fileURLToPath(new URL('../..', import.meta.url));
const probeFile = fileURLToPath(new URL('tell-memory.ts', import.meta.url));
const startLimitMs = 600_000;
/** How long controllers and the store may go on with what a load has caused. */
const settleMs = 5_000;
const megabyte = 1e6;

/** Starts the standalone form, creates objects and updates some of them; tells the memory of each moment. */
export async function measureMemory(options: MemoryOptions): Promise<MemoryRow[]> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-memory-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const server = stack.use(await startServer(options.tree ?? sources, directory));
  using load = new LoadProcess();
  await createNamespace(server.target);
  const rows = [await server.row('started')];
  const send = async (
    operation: 'create' | 'update' | 'list',
    requests: number,
    query = '',
  ): Promise<void> => {
    const { failures } = await load.run(loadOf(server.target, options, { operation, requests, query }));
    if (Object.keys(failures).length > 0) throw new Error(`${operation}: ${JSON.stringify(failures)}`);
    await new Promise(resolve => setTimeout(resolve, settleMs));
  };
  await send('create', options.objects);
  rows.push(await server.row('created'));
  if (options.updates > 0) {
    await send('update', options.updates);
    rows.push(await server.row('updated'));
  }
  await send('list', 5, '?labelSelector=app%3Dapp-7');
  rows.push(await server.row('listed by label'));
  if (options.snapshotFile !== undefined) await server.ask({ snapshot: options.snapshotFile });
  return rows;
}

interface ProbedServer extends AsyncDisposable {
  readonly target: LoadTarget;
  ask(command: MemoryCommand): Promise<unknown>;
  row(when: string): Promise<MemoryRow>;
}

async function startServer(tree: string, directory: string): Promise<ProbedServer> {
  const port = await findFreePort();
  const url = `https://127.0.0.1:${port}`;
  const flags = ['--data-dir', directory, '--port', String(port), '--log-level', 'error'];
  const child = fork(join(tree, mainFile), flags, {
    cwd: tree,
    execArgv: ['--expose-gc', '--import', probeFile],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  await pollUntil('the server', async () => child.exitCode === null && (await isReady(url, directory)), {
    timeoutMs: startLimitMs,
  });
  const running = stack.move();
  const ask = async (command: MemoryCommand): Promise<unknown> => {
    const answered = once(child, 'message');
    child.send(command);
    const [answer] = await answered;
    return answer;
  };
  return {
    target: attachMeasuredServer(url, directory).target,
    ask,
    row: when => rowOf(when, child, ask),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function rowOf(
  when: string,
  { pid }: ChildProcess,
  ask: (command: MemoryCommand) => Promise<unknown>,
): Promise<MemoryRow> {
  const before = (await ask({ collect: false })) as ToldMemory; // The answer to this command.
  const { heapUsed, heapTotal, arrayBuffers, rss } = (await ask({ collect: true })) as ToldMemory; // The same.
  const files = Number(/RssFile:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  const inMegabytes = (bytes: number) => Math.round(bytes / megabyte);
  return {
    when,
    resident: inMegabytes(before.rss),
    collected: inMegabytes(rss),
    heapUsed: inMegabytes(heapUsed),
    heapUnused: inMegabytes(heapTotal - heapUsed),
    buffers: inMegabytes(arrayBuffers),
    files: inMegabytes(files),
    others: inMegabytes(rss - heapTotal - arrayBuffers - files),
  };
}

async function isReady(url: string, directory: string): Promise<boolean> {
  // The server writes it when its certificates are there.
  if (!existsSync(join(directory, 'admin.conf'))) return false;
  const connection = connect(attachMeasuredServer(url, directory).target, 1);
  try {
    const response = await connection.request({ method: 'GET', path: '/readyz' });
    response.resume();
    return response.statusCode === 200;
  } catch {
    // Not listening yet.
    return false;
  } finally {
    connection.close();
  }
}

function loadOf(
  target: LoadTarget,
  { objects, objectBytes, connections }: MemoryOptions,
  sent: Pick<RequestLoad, 'operation' | 'requests' | 'query'>,
): RequestLoad {
  return {
    kind: 'requests',
    target,
    collection: '/api/v1/namespaces/memory/configmaps',
    objects,
    objectBytes,
    connections: sent.operation === 'list' ? 1 : connections,
    rate: 0,
    run: 'memory',
    ...sent,
  };
}

async function createNamespace(target: LoadTarget): Promise<void> {
  const connection = connect(target, 1);
  const body = Buffer.from(
    JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'memory' } }),
  );
  const response = await connection.request({ method: 'POST', path: '/api/v1/namespaces', body });
  response.resume();
  connection.close();
  if (response.statusCode !== 201) throw new Error(`the namespace was answered with ${response.statusCode}`);
}
