import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findFreePort, pollUntil, startManagedProcess } from '@binnacle/backends';
import { parseFlags } from '@binnacle/flags';
import { standaloneFlags } from '@binnacle/standalone';
import { startStandalone } from '@binnacle/standalone/testing';
import { createLogger } from '@binnacle/telemetry';
import { pkiPaths } from '@binnacle/tls';
import { preparePki } from '../journeys/setup/prepare-pki.ts';
import { createTemporaryDirectory } from '../journeys/setup/temporary-directory.ts';
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
    arguments: [program, ...argumentsFrom({ ...own, ...flags })],
    environment: notInherited,
    logFile: join(dataDirectory, 'standalone.log'),
    ready: signal => pollUntil(`${url}/readyz`, () => isReady(url, caFile), { signal }),
  });
  return {
    gateways: [url],
    processes: [process],
    ca: await readFile(caFile, 'utf8'),
    dataDirectory,
    withFlags: (other, { ofProcesses = false } = {}) =>
      ofProcesses ? undefined : startVariantHere({ tokenAuthFile, flags: { ...flags, ...other } }),
    [Symbol.asyncDispose]: () => process.stop(),
  };
}

/** Of the environment: what would be another server's. */
const notInherited = { BINNACLE_PORT: undefined, BINNACLE_DATA_DIR: undefined };

/**
 * Starts the standalone form in this process, from the same flags: it costs a tenth of a process of its own, which loads and
 * compiles everything anew, and is no process that could be killed.
 */
export async function startStandaloneHere(options: FormOptions): Promise<RunningForm> {
  const { dataDirectory, tokenAuthFile, flags } = options;
  const own = { port: 0, 'data-dir': dataDirectory, 'token-auth-file': tokenAuthFile, 'log-level': 'warn' };
  const environment = { ...process.env, ...notInherited };
  const config = parseFlags(standaloneFlags, argumentsFrom({ ...own, ...flags }), environment);
  const logFile = join(dataDirectory, 'standalone.log');
  const log = createLogger({
    level: config.logLevel,
    fields: { service: 'standalone' },
    sink: line => appendFileSync(logFile, `${line}\n`),
  });
  await preparePki(dataDirectory);
  const standalone = await startStandalone({ ...config, log });
  return {
    gateways: [standalone.url],
    processes: [],
    logFiles: [logFile],
    ca: await readFile(standalone.pki.caFile, 'utf8'),
    dataDirectory,
    withFlags: () => undefined,
    [Symbol.asyncDispose]: async () => standalone[Symbol.asyncDispose](),
  };
}

async function startVariantHere(options: Omit<FormOptions, 'dataDirectory'>): Promise<RunningForm> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTemporaryDirectory());
  const form = stack.use(await startStandaloneHere({ ...options, dataDirectory: path }));
  const running = stack.move();
  return { ...form, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function argumentsFrom(flags: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
}

async function isReady(url: string, caFile: string): Promise<boolean> {
  using driver = createHttpDriver(url, await readFile(caFile, 'utf8'));
  const message = await driver.open('GET', '/readyz');
  message.resume();
  return message.statusCode === 200;
}
