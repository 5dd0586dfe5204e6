import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeHeapSnapshot } from 'node:v8';
import { LoadProcess } from '../load/load-process.ts';
import type { LoadTarget, RequestLoad } from '../load/protocol.ts';
import { createNamespace, type ForkedServer, forkServer } from '../server/forked-server.ts';

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

const probeFile = fileURLToPath(new URL('tell-memory.ts', import.meta.url));
/** How long controllers and the store may go on with what a load has caused. */
const settleMs = 5_000;
const megabyte = 1e6;

/** Starts the standalone form, creates objects and updates some of them; tells the memory of each moment. */
export async function measureMemory(options: MemoryOptions): Promise<MemoryRow[]> {
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
    const { failures } = await load.run(loadOf(server.target, options, { operation, requests, query }));
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
  const before = (await server.ask({ collect: false })) as ToldMemory; // The answer to this command.
  const { heapUsed, heapTotal, arrayBuffers, rss } = (await server.ask({ collect: true })) as ToldMemory; // The same.
  const files =
    Number(/RssFile:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1] ?? 0) *
    1024;
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

/** Memory of a server after a collection of garbage, in bytes. */
interface ToldMemory {
  readonly rss: number;
  readonly heapUsed: number;
  readonly heapTotal: number;
  readonly external: number;
  readonly arrayBuffers: number;
}

/** Asks for the memory, after a collection where `collect` is set, or for a heap snapshot in a file. */
type MemoryCommand = { readonly collect: boolean } | { readonly snapshot: string };

/** Loaded into a server (`--import`, with `--expose-gc`): tells its memory to the process that has forked the server. */
process.on('message', (command: MemoryCommand) => {
  if ('snapshot' in command) {
    writeHeapSnapshot(command.snapshot);
    process.send?.('written');
    return;
  }
  // Buffers are freed by the collection after the one that finds them.
  if (command.collect) for (let i = 0; i < 3; i++) globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
// It must not keep a server alive that is to stop.
process.channel?.unref();
