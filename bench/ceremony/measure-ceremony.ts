import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LoadProcess } from '../load/load-process.ts';
import type { LoadTarget, RequestLoad } from '../load/protocol.ts';
import { createNamespace, type ForkedServer, forkServer } from '../server/forked-server.ts';
import { type MeasuredVerb, measuredVerbs } from './ceremony-limits.ts';
import type { CountCommand, Counts } from './counts.ts';

/** Cost of one request of a verb besides its work, without that of the server's own work in the same time. */
interface Ceremony {
  readonly verb: MeasuredVerb;
  readonly promises: number;
  readonly timers: number;
  /** Kilobytes of JavaScript objects, as far as collections of garbage show them. */
  readonly kilobytes: number;
}

const counterFile = fileURLToPath(new URL('count-in-server.ts', import.meta.url));
const objects = 500;
const connections = 16;
/** The work that a write causes later, such as that of controllers, counts as part of it. */
const settleMs = 300;
/** Time for which the background work of a server is measured. */
const idleMs = 1_500;

/** Starts the standalone form, and measures so many requests of each verb after as many that warm it up. */
export async function measureCeremony(requests: number): Promise<Ceremony[]> {
  let allocatedKilobytes = () => 0;
  await using server = await forkServer<CountCommand>({
    name: 'ceremony',
    probeFile: counterFile,
    nodeFlags: ['--trace-gc'],
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    onStarted(child) {
      allocatedKilobytes = followCollections(child);
    },
  });
  using load = new LoadProcess();
  const send = async (verb: MeasuredVerb, run: string) => {
    const { failures } = await load.run(createLoad(server.target, { verb, run, requests }));
    if (Object.keys(failures).length > 0) throw new Error(`${verb}: ${JSON.stringify(failures)}`);
    await new Promise(resolve => setTimeout(resolve, settleMs));
  };
  for (const run of ['bench', 'bytes', 'counts']) await createNamespace(server.target, run);
  await send('create', 'bench');
  const idle = () => countDuring(server, () => new Promise(resolve => setTimeout(resolve, idleMs)));
  const before = await idle();
  const counted: { readonly verb: MeasuredVerb; readonly counts: TimedCounts; readonly kilobytes: number }[] =
    [];
  for (const verb of measuredVerbs) {
    const bytesFrom = allocatedKilobytes();
    await send(verb, verb === 'create' ? 'bytes' : 'bench');
    const kilobytes = (allocatedKilobytes() - bytesFrom) / requests;
    const counts = await countDuring(server, () => send(verb, verb === 'create' ? 'counts' : 'bench'));
    counted.push({ verb, counts, kilobytes });
  }
  const after = await idle();
  // A controller may begin a pass in one of the idle times.
  const background = before.promises < after.promises ? before : after;
  const perRequest = (counts: TimedCounts, what: keyof Counts) =>
    (counts[what] - (background[what] * counts.milliseconds) / background.milliseconds) / requests;
  return counted.map(({ verb, counts, kilobytes }) => ({
    verb,
    promises: perRequest(counts, 'promises'),
    timers: perRequest(counts, 'timers'),
    kilobytes,
  }));
}

/** Counts over a period. */
interface TimedCounts extends Counts {
  readonly milliseconds: number;
}

async function countDuring(
  server: ForkedServer<CountCommand>,
  work: () => Promise<unknown>,
): Promise<TimedCounts> {
  await server.ask('start');
  const startedAt = performance.now();
  await work();
  const milliseconds = performance.now() - startedAt;
  const counts = (await server.ask('stop')) as Counts; // The answer to this command.
  return { ...counts, milliseconds };
}

/** Adds up what was allocated between the end of one collection and the beginning of the next. */
function followCollections({ stdout }: ChildProcess): () => number {
  let allocated = 0;
  let left: number | undefined;
  let rest = '';
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, before, after] =
        /(?:Scavenge|Mark-Compact).*? ([\d.]+) \([\d.]+\) -> ([\d.]+)/.exec(line) ?? [];
      if (before === undefined || after === undefined) continue;
      if (left !== undefined) allocated += Number(before) - left;
      left = Number(after);
    }
  });
  return () => allocated * 1024;
}

function createLoad(
  target: LoadTarget,
  { verb, run, requests }: { readonly verb: MeasuredVerb; readonly run: string; readonly requests: number },
): RequestLoad {
  return {
    kind: 'requests',
    target,
    operation: verb,
    collection: `/api/v1/namespaces/${run}/configmaps`,
    objects: Math.min(objects, requests),
    objectBytes: 1024,
    requests,
    connections,
    rate: 0,
    query: '',
    run: 'ceremony',
  };
}
