import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findFreePort, pollUntil, startManagedProcess } from '@binnacle/backends';
import { connect } from '../load/connect.ts';
import { attachMeasuredServer, type MeasuredServer } from './measured-server.ts';

const sources = resolve(import.meta.dirname, '../..');
/** A start takes seconds; on a machine that others use it may take a minute and more. */
const startLimitMs = 180_000;

/** Choices of the standalone form. */
interface StandaloneChoices {
  /** The source tree of the server; this one by default. */
  readonly tree?: string | undefined;
  /** Flags; none by default. */
  readonly arguments?: readonly string[];
}

/** Starts the standalone form on a free port; resolves when it is ready. */
export async function startStandaloneServer(
  dataDirectory: string,
  { tree = sources, arguments: flags = [] }: StandaloneChoices = {},
): Promise<MeasuredServer> {
  const port = await findFreePort();
  const url = `https://127.0.0.1:${port}`;
  await mkdir(dataDirectory, { recursive: true });
  const child = await startManagedProcess({
    name: 'standalone-1',
    command: process.execPath,
    arguments: [join(tree, 'services/standalone/main.ts'), ...flags],
    environment: { BINNACLE_PORT: String(port), BINNACLE_DATA_DIR: dataDirectory },
    logFile: join(dataDirectory, 'standalone.log'),
    readyTimeoutMs: startLimitMs,
    ready: signal =>
      pollUntil(`${url}/readyz`, () => isReady(url, dataDirectory), { signal, timeoutMs: startLimitMs }),
  });
  return {
    ...attachMeasuredServer(url, dataDirectory),
    [Symbol.asyncDispose]: () => child.stop(),
  };
}

async function isReady(url: string, dataDirectory: string): Promise<boolean> {
  // The server writes it when its certificates are there.
  if (!existsSync(join(dataDirectory, 'admin.conf'))) return false;
  const connection = connect(attachMeasuredServer(url, dataDirectory).target, 1);
  try {
    const response = await connection.request({ method: 'GET', path: '/readyz' });
    response.resume();
    return response.statusCode === 200;
  } finally {
    connection.close();
  }
}
