import { versionLine } from '@binnacle/build-info';
import { endIfValidating, parseServiceFlags } from '@binnacle/flags';
import { admissionContract, storageContract, webhookDispatchContract } from '@binnacle/proto';
import { connectRpc, implementService } from '@binnacle/rpc';
import {
  countRefusedRecords,
  createServiceEnvironment,
  kafkaFromFlags,
  noteDirectFeed,
  type RunningService,
  runService,
  serve,
} from '@binnacle/service-kit';
import { remoteStorage } from '@binnacle/storage-contract';
import { createDirectFeed, createFailoverFeed, createKafkaFeed } from '@binnacle/watch-cache';
import { admissionFlags } from './config.ts';
import { checkPluginFlags, createAdmission } from './create-admission.ts';

await runService({ name: 'admission', start });

async function start(): Promise<RunningService> {
  const flags = parseServiceFlags(admissionFlags, { version: versionLine('admission') });
  checkPluginFlags(flags);
  const environment = await createServiceEnvironment('admission', flags);
  const { log, metrics, health, security, peers, files } = environment;
  const shared = { ...security, peers, log, metrics };
  const storageClient = connectRpc(storageContract, {
    ...shared,
    addresses: flags.storageAddresses,
    serverName: 'storage',
    repeatable: ['get', 'list', 'typeRevision'],
    hedged: ['get', 'typeRevision'],
  });
  const webhookDispatch = connectRpc(webhookDispatchContract, {
    ...shared,
    addresses: flags.webhookDispatchAddresses,
    serverName: 'webhook-dispatch',
    // Webhooks must tolerate repeated calls for one request anyway: a write that lost a race is reviewed again.
    repeatable: ['call'],
  });
  const storage = remoteStorage(storageClient);
  const feed =
    flags.changeFeed === 'kafka'
      ? createFailoverFeed({
          topic: createKafkaFeed({
            ...(await kafkaFromFlags(flags, { clientId: 'binnacle-admission', log }, files)),
            onRefusedRecord: countRefusedRecords(metrics),
            log,
          }),
          storage,
          onDirect: noteDirectFeed(metrics),
          log,
        })
      : createDirectFeed({ storage, log });
  endIfValidating(flags);
  const admission = createAdmission({
    storage,
    objects: { feed },
    webhookDispatch,
    plugins: flags,
    files,
    log,
    metrics,
  });
  health.add('informer-sync', () => {
    if (!admission.isReady) throw new Error('the objects that plugins read are not loaded');
  });
  health.add('change-feed', () => {
    if (feed.refusal) throw feed.refusal;
    return feed.isDirect === true ? 'changes come from storage directly' : undefined;
  });
  return serve(environment, {
    flags,
    services: [implementService(admissionContract, admission.service, { gateway: 'all' })],
    host: flags.host,
    port: flags.port,
    resources: [storageClient, webhookDispatch, admission],
    ready: admission.ready(),
  });
}
