import type { Distributed } from '@binnacle/compose';
import { startDistributedForm } from '../../conformance/distributed-form.ts';
import type { ConformanceServer } from '../../conformance/drivers/conformance-server.ts';
import { startConformanceServer } from '../../conformance/start-conformance-server.ts';

/** The distributed form, which several journeys share: each has namespaces, groups and names of its own. */
export interface TwoGateways extends AsyncDisposable {
  readonly server: ConformanceServer;
  readonly form: Distributed;
}

/** Starts the distributed form with every controller. */
export async function startTwoGateways(): Promise<TwoGateways> {
  let form: Distributed | undefined;
  const server = await startConformanceServer(
    async options => {
      const running = await startDistributedForm(options);
      form = running.distributed;
      return running;
    },
    { controllers: '*,tokencleaner,bootstrapsigner', 'enable-bootstrap-token-auth': 'true' },
  );
  if (form === undefined) throw new Error('the form did not start');
  return { server, form, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
