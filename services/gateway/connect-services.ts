import { hostname } from 'node:os';
import {
  admissionContract,
  storageContract,
  tokenReviewContract,
  webhookDispatchContract,
} from '@binnacle/proto';
import { connectRpc, type FlagValues, type Logger, type ServiceEnvironment } from '@binnacle/service-kit';
import { remoteStorage, type Storage } from '@binnacle/storage-contract';
import { type ChangeFeed, createDirectFeed, createKafkaFeed } from '@binnacle/watch-cache';
import type { gatewayFlags } from './config.ts';
import type { GatewayOptions } from './create-gateway.ts';

/** The services that the gateway calls, and what lets go of the connections to them. */
export interface ConnectedServices
  extends Pick<GatewayOptions, 'storage' | 'admission' | 'tokenReview' | 'webhookDispatch' | 'changeFeed'>,
    AsyncDisposable {}

/** Connects to the services that flags name; connections are made in the background. */
export function connectServices(
  flags: FlagValues<typeof gatewayFlags>,
  { security, log, metrics }: ServiceEnvironment,
): ConnectedServices {
  const shared = { ...security, log, metrics };
  const storageClient = connectRpc(storageContract, {
    ...shared,
    addresses: flags.storageAddresses,
    serverName: 'storage',
    retryOnConnectionLost: ['get', 'list', 'typeRevision'],
  });
  const admission = connectRpc(admissionContract, {
    ...shared,
    addresses: flags.admissionAddresses,
    serverName: 'admission',
  });
  const tokenReview = connectRpc(tokenReviewContract, {
    ...shared,
    addresses: flags.tokenReviewAddresses,
    serverName: 'token-review',
    retryOnConnectionLost: ['review'],
  });
  const webhookDispatch =
    flags.webhookDispatchAddresses.length === 0
      ? undefined
      : connectRpc(webhookDispatchContract, {
          ...shared,
          addresses: flags.webhookDispatchAddresses,
          serverName: 'webhook-dispatch',
        });
  const clients = [storageClient, admission, tokenReview, ...(webhookDispatch ? [webhookDispatch] : [])];
  const storage = remoteStorage(storageClient);
  return {
    storage,
    admission,
    tokenReview,
    ...(webhookDispatch && { webhookDispatch }),
    changeFeed: changeFeedFor(flags, storage, log.child({ component: 'change-feed' })),
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map(client => client[Symbol.asyncDispose]()));
    },
  };
}

/** The `host:port` of everything that the flags of a gateway name. */
export function backendHostsFrom(flags: FlagValues<typeof gatewayFlags>): string[] {
  return [
    ...flags.storageAddresses,
    ...flags.admissionAddresses,
    ...flags.tokenReviewAddresses,
    ...flags.webhookDispatchAddresses,
    ...flags.kafkaBrokers,
  ];
}

function changeFeedFor(flags: FlagValues<typeof gatewayFlags>, storage: Storage, log: Logger): ChangeFeed {
  if (flags.changeFeed === 'direct') return createDirectFeed({ storage, log });
  if (flags.kafkaBrokers.length === 0) throw new Error('--change-feed=kafka needs --kafka-brokers');
  return createKafkaFeed({
    connection: {
      brokers: flags.kafkaBrokers,
      clientId: `binnacle-gateway-${hostname()}-${process.pid}`,
    },
    topic: flags.kafkaTopic,
    historyWindowMs: flags.historyWindow,
    log,
  });
}
