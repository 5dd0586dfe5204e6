import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LoadProcess } from '../load/load-process.ts';
import type { LoadTarget, RequestLoad } from '../load/protocol.ts';
import { createNamespace, type ForkedServer, forkServer } from '../server/forked-server.ts';
import type { MemoryCommand, ReportedMemory } from './report-memory.ts';

interface MemoryOptions {
  readonly objects: number;
  readonly objectBytes: number;
  /** Updates of different objects, after all of them were created. */
  readonly updates: number;
  readonly connections: number;
  /** The file for a heap snapshot at the end. */
  readonly snapshotFile?: string | undefined;
  /** The source tree of the server; this one by default. */
  readonly tree?: string | undefined;
  /** Time for which controllers and the store may go on with the work of a load, in ms; default: five seconds. */
  readonly settleMs?: number;
}

/** Memory at one moment, in megabytes. */
interface MemoryRow {
  readonly when: string;
  /** Resident, before a collection of garbage. */
  readonly resident: number;
  /** Resident after it, and its parts. */
  readonly collected: number;
  /** All of them but pages of files: memory that the kernel cannot take back by itself. */
  readonly anonymous: number;
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

const probeFile = fileURLToPath(new URL('report-memory.ts', import.meta.url));
const defaultSettleMs = 5_000;
const megabyte = 1e6;

/** Starts the standalone form, creates objects and updates some of them; returns the memory of each moment. */
export async function measureMemory(options: MemoryOptions): Promise<MemoryRow[]> {
  const { settleMs = defaultSettleMs } = options;
  await using server = await forkServer<MemoryCommand>({
    name: 'memory',
    probeFile,
    nodeFlags: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    tree: options.tree,
  });
  using load = new LoadProcess();
  await createNamespace(server.target, 'memory');
  const rows = [await measureRow('started', server)];
  const send = async (
    operation: 'create' | 'update' | 'list',
    requests: number,
    query = '',
  ): Promise<void> => {
    const { failures } = await load.run(createLoad(server.target, options, { operation, requests, query }));
    if (Object.keys(failures).length > 0) throw new Error(`${operation}: ${JSON.stringify(failures)}`);
    await new Promise(resolve => setTimeout(resolve, settleMs));
  };
  await send('create', options.objects);
  rows.push(await measureRow('created', server));
  if (options.updates > 0) {
    await send('update', options.updates);
    rows.push(await measureRow('updated', server));
  }
  await send('list', 5, '?labelSelector=app%3Dapp-7');
  rows.push(await measureRow('listed by label', server));
  if (options.snapshotFile !== undefined) await server.ask({ snapshot: options.snapshotFile });
  return rows;
}

async function measureRow(when: string, server: ForkedServer<MemoryCommand>): Promise<MemoryRow> {
  const before = (await server.ask({ collect: false })) as ReportedMemory; // The answer to this command.
  const { heapUsed, heapTotal, arrayBuffers, rss } = (await server.ask({ collect: true })) as ReportedMemory; // The same.
  const files = readFileBytes(server.child.pid);
  const inMegabytes = (bytes: number) => Math.round(bytes / megabyte);
  return {
    when,
    resident: inMegabytes(before.rss),
    collected: inMegabytes(rss),
    anonymous: inMegabytes(rss - files),
    heapUsed: inMegabytes(heapUsed),
    heapUnused: inMegabytes(heapTotal - heapUsed),
    buffers: inMegabytes(arrayBuffers),
    files: inMegabytes(files),
    others: inMegabytes(rss - heapTotal - arrayBuffers - files),
  };
}

/** Bytes of resident pages of files. */
function readFileBytes(pid: number | undefined): number {
  const [, kibibytes] = /RssFile:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes ?? 0) * 1024;
}

function createLoad(
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
