import { type ChildProcess, fork, type Serializable, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, pollUntil } from '@binnacle/backends';
import { connect } from '../load/connect.ts';
import type { LoadTarget } from '../load/protocol.ts';
import { attachMeasuredServer } from './measured-server.ts';

/** Options of a forked server. */
interface ForkOptions {
  /** Names its temporary folder. */
  readonly name: string;
  /** A module that is loaded before the server and answers commands. */
  readonly probeFile: string;
  /** Flags of the server besides those of its folder and port; none by default. */
  readonly arguments?: readonly string[];
  /** Flags of Node. */
  readonly nodeFlags: readonly string[];
  readonly stdio: StdioOptions;
  /** The source tree of the server; this one by default. */
  readonly tree?: string | undefined;
}

/** The standalone form in a process that a probe was loaded into. Disposed of, it ends, and its data folder goes. */
export interface ForkedServer<Command extends Serializable> extends AsyncDisposable {
  readonly target: LoadTarget;
  readonly child: ChildProcess;
  /** Gives the probe a command; resolves with its answer. One at a time. */
  ask(command: Command): Promise<unknown>;
}

const sources = fileURLToPath(new URL('../..', import.meta.url));
const startLimitMs = 600_000;

/** Starts the standalone form with a probe in it; resolves once it is ready. */
export async function forkServer<Command extends Serializable>(
  options: ForkOptions,
): Promise<ForkedServer<Command>> {
  const { name, probeFile, nodeFlags, stdio, tree = sources } = options;
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), `binnacle-${name}-`));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const port = await findFreePort();
  const url = `https://127.0.0.1:${port}`;
  const ownFlags = ['--data-dir', directory, '--port', String(port), '--log-level', 'error'];
  const flags = [...ownFlags, ...(options.arguments ?? [])];
  const child = fork(join(tree, 'services/standalone/main.ts'), flags, {
    cwd: tree,
    execArgv: [...nodeFlags, '--import', probeFile],
    stdio,
  });
  stack.defer(async () => {
    const ended = once(child, 'exit');
    if (child.kill('SIGTERM')) await ended;
  });
  const started = new AbortController();
  const ended = once(child, 'exit', { signal: started.signal }).then(([code]) => {
    throw new Error(`the server ended with ${code} before it was ready`);
  });
  try {
    const ready = pollUntil('the server', () => isReady(url, directory), {
      signal: started.signal,
      timeoutMs: startLimitMs,
    });
    // The one that is not over is ended below.
    for (const waiting of [ready, ended]) waiting.catch(() => {});
    await Promise.race([ready, ended]);
  } finally {
    started.abort();
  }
  const running = stack.move();
  return {
    target: attachMeasuredServer(url, directory).target,
    child,
    async ask(command) {
      const answered = once(child, 'message');
      child.send(command);
      const [answer] = await answered;
      return answer;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
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

/** Makes a namespace on a server. */
export async function createNamespace(target: LoadTarget, name: string): Promise<void> {
  const connection = connect(target, 1);
  const body = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  const response = await connection.request({ method: 'POST', path: '/api/v1/namespaces', body });
  response.resume();
  connection.close();
  if (response.statusCode !== 201) throw new Error(`the namespace was answered with ${response.statusCode}`);
}
