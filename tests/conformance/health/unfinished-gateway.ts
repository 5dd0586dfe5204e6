import { join } from 'node:path';
import { findFreePort, startManagedProcess } from '@binnacle/backends';
import { bundledProgram, currentBundles } from '@binnacle/compose/testing';
import { until } from '../../journeys/api-server.ts';
import { createTemporaryDirectory } from '../../journeys/setup/temporary-directory.ts';

/** A gateway whose start never ends: it listens, and the storage that it waits for does not exist. */
interface UnfinishedGateway extends AsyncDisposable {
  /** Status and text of the answer to a GET without credentials. */
  get(path: string): Promise<{ readonly code: number; readonly text: string }>;
}

/** Starts a gateway that waits in vain, with flags as they are written on the command line. */
export async function startUnfinishedGateway(...flags: string[]): Promise<UnfinishedGateway> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await createTemporaryDirectory());
  const [port, operationsPort, nobody] = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  const services = ['storage', 'admission', 'token-review'].map(
    name => `--${name}-addresses=127.0.0.1:${nobody}`,
  );
  const gateway = await startManagedProcess({
    name: 'unfinished gateway',
    command: process.execPath,
    arguments: [
      bundledProgram(await currentBundles(), 'gateway'),
      '--tls=false',
      '--insecure',
      `--secure-port=${port}`,
      `--operations-port=${operationsPort}`,
      ...services,
      ...flags,
    ],
    logFile: join(directory.path, 'gateway.log'),
  });
  stack.defer(() => gateway.kill());
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { code: response.status, text: await response.text() };
  };
  await until('the gateway to listen', () =>
    get('/livez').then(
      () => true,
      () => false,
    ),
  );
  const running = stack.move();
  return { get, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
