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

let shared: Promise<TestServer> | undefined;
let users = 0;

/**
 * The server that the test files of this process share: started for the first of them. Each file leaves alone what it has not
 * made, and does not ask for lists of the whole server or for its counters. It is there until the last user has left, or,
 * in a process that runs files one after the other, until there are no more.
 */
export async function useSharedServer(): Promise<TestServer> {
  if (shared === undefined) {
    shared = startTestServer();
    if (process.connected) process.once('disconnect', () => void stopShared());
  }
  users++;
  let isUsed = true;
  return {
    ...(await shared),
    async [Symbol.asyncDispose]() {
      if (isUsed) users--;
      isUsed = false;
      if (users === 0 && !process.connected) await stopShared();
    },
  };
}

async function stopShared(): Promise<void> {
  const stopping = await shared;
  shared = undefined;
  await stopping?.[Symbol.asyncDispose]();
}
