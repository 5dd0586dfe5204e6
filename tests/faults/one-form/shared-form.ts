import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@binnacle/backends';
import { keptUntilEnd } from '@binnacle/backends/testing';
import { type Distributed, startDistributed } from '@binnacle/compose';
import { type BundledProgram, bundledProgram } from '@binnacle/compose/testing';
import { createTemporaryDirectory } from '../../journeys/setup/temporary-directory.ts';

/** A distributed form behind a load balancer, where one is installed. */
interface SharedForm extends AsyncDisposable {
  readonly form: Distributed;
  readonly dataDirectory: string;
  /** Bearer tokens of administrators, each of another user. */
  readonly tokens: readonly string[];
  /** Folders with bundles of other releases, by the names of the processes that are started from them next. */
  readonly code: Map<string, string>;
  /** Whether a file before has restored the store, which has versions then that some earlier releases do not know. */
  isRestored: boolean;
}

/**
 * The form of all files of this folder, which a process runs one after the other, in the order of their names. Each has namespaces and names of its own, takes
 * away what counts for others too, and ends with every process running.
 */
const keptForm = keptUntilEnd(startForm);

/** The form with all its processes: those that the file before has left behind, because it failed, are started again. */
export async function sharedForm(): Promise<SharedForm> {
  const shared = await keptForm();
  for (const each of shared.form.processes.values()) if (!each.running) await each.restart();
  await shared.form.waitUntilReady();
  return shared;
}

async function startForm(): Promise<SharedForm> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await createTemporaryDirectory());
  const tokens = Array.from({ length: 20 }, () => randomBytes(16).toString('hex'));
  const tokenAuthFile = join(directory.path, 'tokens.csv');
  const lines = tokens.map((token, index) => `${token},user-${index},user-${index},system:masters\n`);
  await writeFile(tokenAuthFile, lines.join(''), { mode: 0o600 });
  const dataDirectory = join(directory.path, 'data');
  const code = new Map<string, string>();
  const form = stack.use(
    await startDistributed({
      dataDirectory,
      port: await findFreePort(),
      tokenAuthFile,
      balancer: true,
      programOf(name) {
        const bundles = code.get(name);
        // The names of processes are those of services with a number.
        return bundles && bundledProgram(bundles, name.replace(/-\d+$/, '') as BundledProgram);
      },
      // Files of secrets count soon. Other releases may not know a flag, and pass over a variable that they do not know.
      environmentOf: () => ({ BINNACLE_TLS_RELOAD_INTERVAL: '1s' }),
      arguments: {
        // Namespaces hold the config maps that tests write, and no others.
        'controller-manager': ['--controllers=*,-root-ca-cert-publisher'],
        'webhook-dispatch': ['--allow-loopback-webhooks=true'],
      },
    }),
  );
  const owned = stack.move();
  return {
    form,
    dataDirectory,
    tokens,
    code,
    isRestored: false,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
