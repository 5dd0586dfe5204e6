import { versionLine } from '@binnacle/build-info';
import { endIfValidating, parseServiceFlags } from '@binnacle/flags';
import { webhookDispatchContract } from '@binnacle/proto';
import { implementService } from '@binnacle/rpc';
import { createServiceEnvironment, type RunningService, runService, serve } from '@binnacle/service-kit';
import { webhookDispatchFlags } from './config.ts';
import { createWebhookDispatch } from './create-webhook-dispatch.ts';
import { createNameServiceCheck } from './targets/name-service-check.ts';

await runService({ name: 'webhook-dispatch', start });

async function start(): Promise<RunningService> {
  const flags = parseServiceFlags(webhookDispatchFlags, { version: versionLine('webhook-dispatch') });
  const environment = await createServiceEnvironment('webhook-dispatch', flags);
  endIfValidating(flags);
  const dispatch = createWebhookDispatch({
    ...flags,
    metrics: environment.metrics,
  });
  if (flags.serviceResolver === 'dns') environment.health.add('name-service', createNameServiceCheck());
  return serve(environment, {
    flags,
    services: [
      implementService(webhookDispatchContract, dispatch.service, { admission: 'all', gateway: 'all' }),
    ],
    host: flags.host,
    port: flags.port,
    resources: [dispatch],
  });
}
