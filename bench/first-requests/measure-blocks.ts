import { LoadProcess } from '../load/load-process.ts';
import { readThreadTimes } from '../measure/process-usage.ts';
import { createNamespace } from '../server/forked-server.ts';
import { startStandaloneServer } from '../server/standalone-server.ts';

interface BlockOptions {
  /** The data folder of the server. */
  readonly directory: string;
  /** The source tree of the server; this one by default. */
  readonly tree: string | undefined;
  readonly blocks: number;
  /** Creates of a block. */
  readonly requests: number;
  readonly objectBytes: number;
  readonly connections: number;
}

/** CPU of one create, in microseconds: of the thread that runs the program, and of the others, which compile and collect garbage. */
interface BlockCost {
  readonly mainMicros: number;
  readonly otherMicros: number;
}

interface MeasuredBlocks {
  readonly startMillis: number;
  /** CPU that the process has used when it is ready. */
  readonly startCpuMillis: number;
  readonly blocks: readonly BlockCost[];
}

/** Starts the standalone form and creates config maps in blocks; returns the cost of each block. */
export async function measureBlocks(options: BlockOptions): Promise<MeasuredBlocks> {
  const { directory, tree, requests, objectBytes, connections } = options;
  const beganAt = performance.now();
  await using server = await startStandaloneServer(directory, { tree });
  const startMillis = performance.now() - beganAt;
  const pid = server.pids.get(server.gateway);
  if (pid === undefined) throw new Error('the server has no process');
  const started = readCpu(pid);
  using load = new LoadProcess();
  await createNamespace(server.target, 'first');
  const blocks: BlockCost[] = [];
  for (let block = 0; block < options.blocks; block++) {
    const before = readCpu(pid);
    const { failures } = await load.run({
      kind: 'requests',
      target: server.target,
      operation: 'create',
      collection: '/api/v1/namespaces/first/configmaps',
      objects: requests,
      first: block * requests,
      objectBytes,
      requests,
      connections,
      rate: 0,
      query: '',
      run: 'first',
    });
    if (Object.keys(failures).length > 0) throw new Error(JSON.stringify(failures));
    const after = readCpu(pid);
    blocks.push({
      mainMicros: (after.main - before.main) / requests,
      otherMicros: (after.others - before.others) / requests,
    });
  }
  return { startMillis, startCpuMillis: (started.main + started.others) / 1000, blocks };
}

/** Microseconds of CPU that the threads of a process have used. */
function readCpu(pid: number): { readonly main: number; readonly others: number } {
  const times = readThreadTimes(pid);
  const main = (times.get(String(pid)) ?? 0) / 1000;
  let all = 0;
  for (const time of times.values()) all += time / 1000;
  return { main, others: all - main };
}
