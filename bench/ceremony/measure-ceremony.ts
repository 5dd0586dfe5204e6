import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, pollUntil } from '@binnacle/backends';
import { connect } from '../load/connect.ts';
import { LoadProcess } from '../load/load-process.ts';
import type { LoadTarget, RequestLoad } from '../load/protocol.ts';
import { attachMeasuredServer } from '../server/measured-server.ts';
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

const mainFile = fileURLToPath(new URL('../../services/standalone/main.ts', import.meta.url));
const counterFile = fileURLToPath(new URL('count-in-server.ts', import.meta.url));
const startLimitMs = 120_000;
const objects = 500;
const connections = 16;
/** The work that a write causes later, such as that of controllers, counts as part of it. */
const settleMs = 300;
/** How long it is looked what a server does by itself. */
const idleMs = 1_500;

/** Starts the form that is one process, and measures so many requests of each verb after as many that warm it up. */
export async function measureCeremony(requests: number): Promise<Ceremony[]> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-ceremony-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const server = stack.use(await startCountedServer(directory));
  using load = new LoadProcess();
  const send = async (verb: MeasuredVerb, run: string) => {
    const { failures } = await load.run(loadOf(server.target, { verb, run, requests }));
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
    const bytesFrom = server.allocatedKilobytes();
    await send(verb, verb === 'create' ? 'bytes' : 'bench');
    const kilobytes = (server.allocatedKilobytes() - bytesFrom) / requests;
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

async function countDuring(server: CountedServer, work: () => Promise<unknown>): Promise<TimedCounts> {
  await server.command('start');
  const startedAt = performance.now();
  await work();
  const milliseconds = performance.now() - startedAt;
  const counts = (await server.command('stop')) as Counts; // The answer to this command.
  return { ...counts, milliseconds };
}

interface CountedServer extends AsyncDisposable {
  readonly target: LoadTarget;
  command(command: CountCommand): Promise<unknown>;
  /** Kilobytes allocated since the start, as far as collections show them. */
  allocatedKilobytes(): number;
}

async function startCountedServer(directory: string): Promise<CountedServer> {
  const port = await findFreePort();
  const url = `https://127.0.0.1:${port}`;
  const child = fork(mainFile, ['--data-dir', directory, '--port', String(port), '--log-level', 'error'], {
    execArgv: ['--trace-gc', '--import', counterFile],
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  const allocatedKilobytes = followCollections(child);
  await pollUntil('the server', async () => child.exitCode === null && (await isReady(url, directory)), {
    timeoutMs: startLimitMs,
  });
  const running = stack.move();
  return {
    target: attachMeasuredServer(url, directory).target,
    allocatedKilobytes,
    async command(command) {
      const answered = once(child, 'message');
      child.send(command);
      const [answer] = await answered;
      return answer;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
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

async function isReady(url: string, directory: string): Promise<boolean> {
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

async function createNamespace(target: LoadTarget, name: string): Promise<void> {
  const connection = connect(target, 1);
  const body = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  const response = await connection.request({ method: 'POST', path: '/api/v1/namespaces', body });
  response.resume();
  connection.close();
  if (response.statusCode !== 201) throw new Error(`the namespace was answered with ${response.statusCode}`);
}
