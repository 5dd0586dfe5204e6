import { keptUntilEnd } from '@binnacle/backends/testing';
import type { Distributed } from '@binnacle/compose';
import { type RunningDistributedForm, startDistributedForm } from '../../conformance/distributed-form.ts';
import type { ConformanceServer } from '../../conformance/drivers/conformance-server.ts';
import { startConformanceServer } from '../../conformance/start-conformance-server.ts';

/** The distributed form, which several journeys share: each has namespaces, groups and names of its own. */
export interface TwoGateways extends AsyncDisposable {
  readonly server: ConformanceServer;
  readonly form: Distributed;
  /** The same, as the tests of other folders are given forms. */
  readonly running: RunningDistributedForm;
}

/** The form of all files of this folder, which a process runs one after the other. */
export const sharedGateways = keptUntilEnd(startTwoGateways);

/** Starts the distributed form with every controller. */
async function startTwoGateways(): Promise<TwoGateways> {
  let running: RunningDistributedForm | undefined;
  const server = await startConformanceServer(
    async options => {
      running = await startDistributedForm(options);
      return running;
    },
    { controllers: '*,tokencleaner,bootstrapsigner', 'enable-bootstrap-token-auth': 'true' },
  );
  if (running === undefined) throw new Error('the form did not start');
  const form = running.distributed;
  return { server, form, running, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
