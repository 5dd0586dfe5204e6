import { join } from 'node:path';
import { findFreePort, type ManagedProcess } from '@binnacle/backends';
import { createApiClient, loadClientConfiguration } from '@binnacle/client';
import { type Distributed, Supervisor, startDistributed } from '@binnacle/compose';
import { createTemporaryDirectory } from '../../journeys/setup/temporary-directory.ts';
import { injectFaults } from './inject-faults.ts';
import { planFaults } from './plan-faults.ts';
import type { Door } from './recording/recorder.ts';
import { runSuite, type SuiteOptions, type SuiteResult } from './run-suite.ts';

/** A run of the suite on a distributed form of its own. */
export interface FormRunOptions extends Pick<SuiteOptions, 'seed' | 'durationMs' | 'log'> {
  /** With backends of three, whose members of etcd can be cut off from each other. */
  readonly ha: boolean;
}

/** Starts the form, runs the suite with the faults of the seed, and ends the form. */
export async function runOnForm({ ha, ...options }: FormRunOptions): Promise<SuiteResult> {
  await using started = new AsyncDisposableStack();
  const form = await startForm(ha, options.log, started);
  const doors = openDoors(form, form.gateways);
  for (const { client } of doors) started.use(client);
  return await runSuite({
    ...options,
    doors,
    injectFaults: (recorder, random, signal) =>
      injectFaults(form, planFaults(random, { ha }), recorder, signal),
  });
}

/** A client of an administrator for each server. */
export function openDoors(
  { adminConfiguration }: { readonly adminConfiguration: string },
  servers: readonly string[],
): Door[] {
  const configuration = loadClientConfiguration(adminConfiguration);
  return servers.map(server => ({
    server,
    client: createApiClient({ configuration: { ...configuration, servers: [server] }, userAgent: 'faults' }),
  }));
}

/** Starts the form; processes that end by themselves are started again. */
async function startForm(
  ha: boolean,
  log: (line: string) => void,
  started: AsyncDisposableStack,
): Promise<Distributed> {
  const directory = started.use(await createTemporaryDirectory());
  let supervisor: Supervisor | undefined;
  const early: ManagedProcess[] = [];
  const form = started.use(
    await startDistributed({
      dataDirectory: join(directory.path, 'data'),
      port: await findFreePort(),
      ha,
      links: ha,
      onUnexpectedExit(description, managed) {
        log(description);
        if (supervisor) supervisor.ended(managed);
        else early.push(managed);
      },
    }),
  );
  supervisor = started.use(new Supervisor({ report: log }));
  for (const managed of early) if (!managed.running) supervisor.ended(managed);
  return form;
}
