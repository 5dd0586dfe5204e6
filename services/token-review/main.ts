import { randomBytes } from 'node:crypto';
import { storageContract, tokenReviewContract } from '@binnacle/proto';
import {
  connectRpc,
  createCallContext,
  createServiceEnvironment,
  implementService,
  noteCertificates,
  parseFlags,
  type RunningService,
  runService,
  serve,
} from '@binnacle/service-kit';
import { remoteStorage, storageKeyFrom } from '@binnacle/storage-contract';
import { tokenReviewFlags } from './config.ts';
import { redisAccessFrom } from './decision-cache/redis-access.ts';
import { readTokenOptions } from './read-token-options.ts';
import { createTokenReview } from './token-review.ts';

/** Storage must answer within this time for the service to count as ready. */
const storageCheckMs = 1500;

await runService({ name: 'token-review', start });

async function start(): Promise<RunningService> {
  const flags = parseFlags(tokenReviewFlags);
  const redis = await redisAccessFrom(flags);
  const environment = await createServiceEnvironment('token-review', flags);
  const { log, metrics, security, health } = environment;
  const storage = connectRpc(storageContract, {
    ...security,
    addresses: flags.storageAddresses,
    serverName: 'storage',
    retryOnConnectionLost: ['get'],
    log,
    metrics,
  });
  const storedObjects = remoteStorage(storage);
  const tokenOptions = await readTokenOptions(flags, storedObjects);
  const tokenReview = createTokenReview({
    ...tokenOptions,
    ...(redis && { redis }),
    // Pods of this service share their private key. Without TLS there is none, and each pod's cache is its own.
    secret: security.tls?.key ?? randomBytes(32),
    log,
    metrics,
    clock: Date.now,
  });
  noteCertificates(metrics, [
    { name: 'redis-client', pem: redis?.tls?.identity?.cert },
    { name: 'redis-authority', pem: redis?.tls?.ca },
    { name: 'oidc-authority', pem: tokenOptions.oidc?.ca },
    { name: 'token-webhook-client', pem: tokenOptions.webhook?.configuration.clientCertificate },
    { name: 'token-webhook-authority', pem: tokenOptions.webhook?.configuration.certificateAuthority },
  ]);
  if (tokenOptions.serviceAccounts?.lookup || tokenOptions.bootstrapTokens)
    health.add('storage', async signal => {
      using call = createCallContext({ timeoutMs: storageCheckMs, signal });
      // Any read will do: whether the answer has a record does not matter.
      await storedObjects.get(storageKeyFrom('/core/namespaces//default'), call);
    });
  // Redis that is away costs shared decisions alone; Redis that refuses this service is a configuration to repair.
  if (redis !== undefined)
    health.add('redis', async () => {
      const refusal = await tokenReview.redisRefusal();
      if (refusal) throw refusal;
    });
  // A provider that is away costs its own tokens alone, and those of others need this pod: the check counts for nothing else.
  if (tokenOptions.oidc) health.add('oidc', () => tokenReview.assertOidcKeys(), { informative: true });
  // A webhook that is down costs the tokens that only it knows.
  if (tokenOptions.webhook !== undefined)
    health.add('token-webhook', () => tokenReview.checkWebhook(), { informative: true });
  return serve(environment, {
    flags,
    services: [implementService(tokenReviewContract, tokenReview, { gateway: 'all' })],
    host: flags.host,
    port: flags.port,
    resources: [storage, tokenReview],
  });
}
