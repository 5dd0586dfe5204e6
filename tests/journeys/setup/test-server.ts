import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { standaloneFlags } from '@binnacle/standalone';
import { type Standalone, type StandaloneOptions, startStandalone } from '@binnacle/standalone/testing';
import { preparePki } from './prepare-pki.ts';
import { createTemporaryDirectory } from './temporary-directory.ts';

/** The standalone form in this process, in a folder that goes with it. */
export interface TestServer extends AsyncDisposable {
  readonly standalone: Standalone;
  /** A name that none of its tests has got before: `test-1`, `test-2`, … */
  newName(): string;
}

const tokens = [
  'admintoken,admin,u-admin,"system:masters"',
  'alicetoken,alice,u-alice,"devs,qa"',
  'bobtoken,bob,u-bob',
];

/** Without the publisher of the server's authority, namespaces hold the config maps that tests make, and no others. */
export const testControllers = standaloneFlags.controllers.parse(['*', '-root-ca-cert-publisher']);

/** Starts the standalone form on a free port, with users admin, alice (groups devs and qa) and bob. */
export async function startTestServer(options: Partial<StandaloneOptions> = {}): Promise<TestServer> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTemporaryDirectory());
  const tokenAuthFile = join(path, 'tokens.csv');
  await writeFile(tokenAuthFile, `${tokens.join('\n')}\n`);
  await preparePki(options.dataDir ?? path);
  const standalone = stack.use(
    await startStandalone({
      dataDir: path,
      port: 0,
      tokenAuthFile,
      allowLoopbackWebhooks: true,
      controllers: testControllers,
      ...options,
    }),
  );
  const running = stack.move();
  let names = 0;
  return {
    standalone,
    newName: () => `test-${++names}`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
