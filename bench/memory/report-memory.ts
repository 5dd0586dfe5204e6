import { writeHeapSnapshot } from 'node:v8';

/** Memory of a server after a collection of garbage, in bytes. */
export interface ReportedMemory {
  readonly rss: number;
  readonly heapUsed: number;
  readonly heapTotal: number;
  readonly external: number;
  readonly arrayBuffers: number;
}

/** Asks for the memory, after a collection where `collect` is set, or for a heap snapshot in a file. */
export type MemoryCommand = { readonly collect: boolean } | { readonly snapshot: string };

/** Loaded into a server (`--import`, with `--expose-gc`): reports its memory to the process that has forked the server. */
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
