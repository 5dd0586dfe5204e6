import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groups } from '@binnacle/api-names';
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
  /** Kilobytes of JavaScript objects. */
  readonly kilobytes: number;
}

const counterFile = fileURLToPath(new URL('count-in-server.ts', import.meta.url));
const objects = 500;
const connections = 16;
/** The work that a write causes later, such as that of controllers, counts as part of it. */
const settleMs = 300;
/** Time for which the background work of a server is measured. */
const idleMs = 1_500;

/**
 * Starts the standalone form, and measures so many requests of each verb after as many that warm it up. The server records traces, and
 * clients send the ids of some that they do not sample: requests that are not recorded make nothing for that.
 */
export async function measureCeremony(requests: number): Promise<Ceremony[]> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-ceremony-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const tracing = join(directory, 'tracing.yaml');
  await writeFile(
    tracing,
    `{ apiVersion: ${groups.apiserverConfig}/v1alpha1, kind: TracingConfiguration, samplingRatePerMillion: 0 }`,
  );
  await using server = await forkServer<CountCommand>({
    name: 'ceremony',
    probeFile: counterFile,
    arguments: [`--tracing-config-file=${tracing}`],
    nodeFlags: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  using load = new LoadProcess();
  const send = async (verb: MeasuredVerb, run: string) => {
    const { failures } = await load.run(createLoad(server.target, { verb, run, requests }));
    if (Object.keys(failures).length > 0) throw new Error(`${verb}: ${JSON.stringify(failures)}`);
    await new Promise(resolve => setTimeout(resolve, settleMs));
  };
  for (const run of ['bench', 'bytes', 'counts']) await createNamespace(server.target, run);
  await send('create', 'bench');
  const idle = () =>
    countDuring(server, 'promises', () => new Promise(resolve => setTimeout(resolve, idleMs)));
  const before = await idle();
  const counted: { readonly verb: MeasuredVerb; readonly counts: TimedCounts; readonly kilobytes: number }[] =
    [];
  for (const verb of measuredVerbs) {
    const { bytes } = await countDuring(server, 'bytes', () =>
      send(verb, verb === 'create' ? 'bytes' : 'bench'),
    );
    const counts = await countDuring(server, 'promises', () =>
      send(verb, verb === 'create' ? 'counts' : 'bench'),
    );
    counted.push({ verb, counts, kilobytes: bytes / 1024 / requests });
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
  what: 'promises' | 'bytes',
  work: () => Promise<unknown>,
): Promise<TimedCounts> {
  await server.ask(`count ${what}`);
  const startedAt = performance.now();
  await work();
  const milliseconds = performance.now() - startedAt;
  const counts = (await server.ask('stop')) as Counts; // The answer to this command.
  return { ...counts, milliseconds };
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
    traceFlags: ['00'],
  };
}
