import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, pollUntil } from '@binnacle/backends';
import { pkiPaths } from '@binnacle/tls';
import { connect } from '../load/connect.ts';
import type { LoadTarget } from '../load/protocol.ts';

/** The standalone form in a process of its own. */
export interface StandaloneServer extends AsyncDisposable {
  readonly target: LoadTarget;
  readonly pid: number;
}

const source = fileURLToPath(new URL('../..', import.meta.url));
const token = 'bench';
const startLimitMs = 120_000;

/** Starts the standalone form of a source tree, by default this one, with its data in `directory`; it may call webhooks of this machine. */
export async function startServer(directory: string, tree = source): Promise<StandaloneServer> {
  await mkdir(directory, { recursive: true });
  const tokens = join(directory, 'tokens.csv');
  await writeFile(tokens, `${token},bench,bench,system:masters\n`, { mode: 0o600 });
  const port = await findFreePort();
  const flags = [
    '--data-dir',
    directory,
    '--port',
    String(port),
    '--token-auth-file',
    tokens,
    '--allow-loopback-webhooks',
  ];
  const child = spawn(
    process.execPath,
    [join(tree, 'services/standalone/main.ts'), ...flags, '--log-level', 'error'],
    { cwd: tree, stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  const target = {
    server: `https://127.0.0.1:${port}`,
    caFile: pkiPaths(join(directory, 'pki')).caFile,
    token,
  };
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await pollUntil('the server', async () => child.exitCode === null && (await isReady(target)), {
    timeoutMs: startLimitMs,
  });
  const running = stack.move();
  return { target, pid: child.pid ?? 0, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function isReady(target: LoadTarget): Promise<boolean> {
  try {
    const connection = connect(target, 1);
    const response = await connection.request({ method: 'GET', path: '/readyz' });
    response.resume();
    connection.close();
    return response.statusCode === 200;
  } catch {
    // Not listening yet, or no certificate to trust.
    return false;
  }
}
