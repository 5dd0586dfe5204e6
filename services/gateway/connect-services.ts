import { hostname } from 'node:os';
import { remoteAdmission } from '@binnacle/admission-contract';
import type { FlagValues } from '@binnacle/flags';
import {
  admissionContract,
  type StorageService,
  storageContract,
  tokenReviewContract,
  webhookDispatchContract,
} from '@binnacle/proto';
import { connectRpc } from '@binnacle/rpc';
import {
  countRefusedRecords,
  kafkaFromFlags,
  noteDirectFeed,
  type ServiceEnvironment,
} from '@binnacle/service-kit';
import { recoverTransaction, remoteStorage, type Storage } from '@binnacle/storage-contract';
import {
  type ChangeFeed,
  createDirectFeed,
  createFailoverFeed,
  createKafkaFeed,
} from '@binnacle/watch-cache';
import type { GatewayOptions } from './create-gateway.ts';
import type { gatewayFlags } from './settings/gateway-flags.ts';

/** The services that the gateway calls; disposing of it closes the connections to them. */
interface ConnectedServices
  extends Pick<GatewayOptions, 'storage' | 'admission' | 'tokenReview' | 'webhookDispatch' | 'changeFeed'>,
    AsyncDisposable {}

/**
 * Connects to the services that flags name; connections are made in the background. Throws a FlagError for flags of
 * Kafka that contradict each other or name files that cannot be read.
 */
export async function connectServices(
  flags: FlagValues<typeof gatewayFlags>,
  environment: ServiceEnvironment,
): Promise<ConnectedServices> {
  const { security, peers, log, metrics } = environment;
  const readFeed = await changeFeedFrom(flags, environment);
  const shared = { ...security, peers, log, metrics };
  const storageClient: StorageService & AsyncDisposable = connectRpc(storageContract, {
    ...shared,
    addresses: flags.storageAddresses,
    serverName: 'storage',
    repeatable: ['get', 'list', 'typeRevision'],
    hedged: ['get', 'typeRevision'],
    recover: { transact: unanswered => recoverTransaction(storageClient, unanswered) },
  });
  const admissionClient = connectRpc(admissionContract, {
    ...shared,
    addresses: flags.admissionAddresses,
    serverName: 'admission',
    // A review changes nothing by itself; webhooks may be called more than once for one request in any case.
    repeatable: ['review'],
  });
  const tokenReview = connectRpc(tokenReviewContract, {
    ...shared,
    addresses: flags.tokenReviewAddresses,
    serverName: 'token-review',
    repeatable: ['review'],
  });
  const webhookDispatch =
    flags.webhookDispatchAddresses.length === 0
      ? undefined
      : connectRpc(webhookDispatchContract, {
          ...shared,
          addresses: flags.webhookDispatchAddresses,
          serverName: 'webhook-dispatch',
          repeatable: ['call'],
        });
  const clients = [
    storageClient,
    admissionClient,
    tokenReview,
    ...(webhookDispatch ? [webhookDispatch] : []),
  ];
  const storage = remoteStorage(storageClient);
  return {
    storage,
    admission: remoteAdmission(admissionClient),
    tokenReview,
    ...(webhookDispatch && { webhookDispatch }),
    changeFeed: readFeed(storage),
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map(client => client[Symbol.asyncDispose]()));
    },
  };
}

/** The `host:port` of every service and broker that the flags of a gateway name. */
export function backendHostsFrom(flags: FlagValues<typeof gatewayFlags>): string[] {
  return [
    ...flags.storageAddresses,
    ...flags.admissionAddresses,
    ...flags.tokenReviewAddresses,
    ...flags.webhookDispatchAddresses,
    ...flags.kafkaBrokers,
  ];
}

/** Reads the flags of the change feed; returns a function that creates the feed over the connection to storage. */
async function changeFeedFrom(
  flags: FlagValues<typeof gatewayFlags>,
  { log: serviceLog, metrics, files }: ServiceEnvironment,
): Promise<(storage: Storage) => ChangeFeed> {
  const log = serviceLog.child({ component: 'change-feed' });
  if (flags.changeFeed === 'direct') return storage => createDirectFeed({ storage, log });
  const clientId = `binnacle-gateway-${hostname()}-${process.pid}`;
  const access = await kafkaFromFlags(flags, { clientId, log }, files);
  const { historyWindow } = flags;
  const onRefusedRecord = countRefusedRecords(metrics);
  const topic = createKafkaFeed({ ...access, historyWindow, onRefusedRecord, log });
  const onDirect = noteDirectFeed(metrics);
  return storage => createFailoverFeed({ topic, storage, onDirect, log });
}
