import { createApiClient, loadClientConfiguration } from '@binnacle/client';
import { startFaultyForm } from './faulty-form.ts';
import { injectFaults } from './inject-faults.ts';
import { planFaults } from './plan-faults.ts';
import type { Door } from './recording/recorder.ts';
import { runSuite, type SuiteOptions, type SuiteResult } from './run-suite.ts';

/** A run of the suite on a distributed form of its own. */
interface FormRunOptions extends Pick<SuiteOptions, 'seed' | 'durationMs' | 'pauseFactor' | 'log'> {
  /** With backends of three, whose members of etcd can be cut off from each other. */
  readonly ha: boolean;
}

/** Starts the form, runs the suite with the faults of the seed, and ends the form. */
export async function runOnForm({ ha, ...options }: FormRunOptions): Promise<SuiteResult> {
  await using started = new AsyncDisposableStack();
  const at = started.use(await startFaultyForm({ ha, log: options.log }));
  const doors = openDoors(at.form, at.form.gateways);
  for (const { client } of doors) started.use(client);
  return await runSuite({
    ...options,
    doors,
    injectFaults: (recorder, random, signal) =>
      injectFaults(at, planFaults(random, { ha }), recorder, signal),
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
