import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { vocabularies, vocabulary } from '@binnacle/api-names';
import { findFreePort, type ManagedProcess, startManagedProcess } from '@binnacle/backends';
import { bundledProgram, currentBundles, type ServiceName } from '@binnacle/compose/testing';
import { type Standalone, startStandalone } from '@binnacle/standalone/testing';
import { until } from './api-server.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';
import { testControllers } from './setup/test-server.ts';

const [other = ''] = vocabularies.filter(name => name !== vocabulary);
const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());
let directory: string;
before(async () => {
  directory = resources.use(await createTemporaryDirectory()).path;
});

/** A service as a process of its own, and how it says that it is. */
interface Process {
  readonly process: ManagedProcess;
  /** The verbose answer of `/readyz`; empty while there is none. */
  readiness(): Promise<string>;
}

async function start(service: ServiceName, names: string, flags: readonly string[]): Promise<Process> {
  const [program, operations] = [bundledProgram(await currentBundles(), service), await findFreePort()];
  const process = resources.use(
    await startManagedProcess({
      name: service,
      command: globalThis.process.execPath,
      arguments: [program, `--api-names=${names}`, `--operations-port=${operations}`, ...flags],
      logFile: resolve(directory, `${service}-${operations}.log`),
    }),
  );
  const readiness = async (): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${operations}/readyz?verbose`).catch(() => undefined);
    return (await answer?.text()) ?? '';
  };
  return { process, readiness };
}

/** The lines of a log that say that two have different names. */
async function refusals({ process }: Process): Promise<readonly string[]> {
  const lines = (await readFile(process.logFile, 'utf8')).split('\n');
  return lines.filter(line => line.includes('both need the same'));
}

test('of two gateways with different names at one storage one serves, and the other logs why it does not', async () => {
  const [port, ...gatewayPorts] = [await findFreePort(), await findFreePort(), await findFreePort()];
  await start('storage', other, [
    '--insecure',
    '--backend=embedded',
    `--data-dir=${directory}/data`,
    `--port=${port}`,
  ]);
  const gatewayFlags = (at: number) => [
    '--insecure',
    '--tls=false',
    `--secure-port=${gatewayPorts[at]}`,
    `--storage-addresses=127.0.0.1:${port}`,
  ];
  const gateway = await start('gateway', vocabulary, gatewayFlags(0));
  const same = await start('gateway', other, gatewayFlags(1));
  const message = `Storage has --api-names=${other}, this service --api-names=${vocabulary}; both need the same`;
  await until('the gateway says why it is not ready', async () =>
    (await gateway.readiness()).includes(`[-]services failed: ${message}\n`),
  );
  await until('the gateway with the same names is ready', async () =>
    (await same.readiness()).endsWith('healthz check passed\n'),
  );
  const answer = await fetch(`http://127.0.0.1:${gatewayPorts[0]}/readyz`);
  assert.equal(answer.status, 500);
  assert.equal((await refusals(gateway)).filter(line => line.includes('rpc-client')).length, 1);
  assert.deepEqual(await refusals(same), []);
});

test('controllers do nothing at a gateway with other names, and log that', async () => {
  const server: Standalone = resources.use(
    await startStandalone({ dataDir: `${directory}/standalone`, port: 0, controllers: testControllers }),
  );
  const manager = await start('controller-manager', other, [`--kubeconfig=${server.adminConfiguration}`]);
  const message = `gateway has --api-names=${vocabulary}, this service --api-names=${other}; both need the same`;
  await until('the controllers say why they are not ready', async () =>
    (await manager.readiness()).includes(`[-]api-names failed: ${message}\n`),
  );
  const log = await readFile(manager.process.logFile, 'utf8');
  assert.ok(log.includes(message));
  assert.doesNotMatch(log, /"leading"/);
});
