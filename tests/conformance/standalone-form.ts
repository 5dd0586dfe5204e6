import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findFreePort, pollUntil, startManagedProcess } from '@binnacle/backends';
import { pkiPaths } from '@binnacle/service-kit';
import { createHttpDriver } from './drivers/http-driver.ts';
import type { FormOptions, RunningForm } from './drivers/running-form.ts';

const program = resolve(import.meta.dirname, '../../services/standalone/main.ts');

/** Starts the standalone form as `make run` does: one process on an embedded store. */
export async function startStandaloneForm(options: FormOptions): Promise<RunningForm> {
  const { dataDirectory, tokenAuthFile, flags } = options;
  const port = await findFreePort();
  const url = `https://127.0.0.1:${port}`;
  const { caFile } = pkiPaths(join(dataDirectory, 'pki'));
  const own = { port, 'data-dir': dataDirectory, 'token-auth-file': tokenAuthFile, 'log-level': 'warn' };
  const process = await startManagedProcess({
    name: 'standalone',
    command: globalThis.process.execPath,
    arguments: [
      program,
      ...Object.entries({ ...own, ...flags }).map(([name, value]) => `--${name}=${value}`),
    ],
    environment: { BINNACLE_PORT: undefined, BINNACLE_DATA_DIR: undefined },
    logFile: join(dataDirectory, 'standalone.log'),
    ready: signal => pollUntil(`${url}/readyz`, () => isReady(url, caFile), { signal }),
  });
  return {
    gateways: [url],
    processes: [process],
    ca: await readFile(caFile, 'utf8'),
    dataDirectory,
    withFlags: () => undefined,
    [Symbol.asyncDispose]: () => process.stop(),
  };
}

async function isReady(url: string, caFile: string): Promise<boolean> {
  using driver = createHttpDriver(url, await readFile(caFile, 'utf8'));
  const message = await driver.open('GET', '/readyz');
  message.resume();
  return message.statusCode === 200;
}
