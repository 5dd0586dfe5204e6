import { randomBytes } from 'node:crypto';
import { versionLine } from '@binnacle/build-info';
import { endIfValidating, parseServiceFlags } from '@binnacle/flags';
import { storageContract, tokenReviewContract } from '@binnacle/proto';
import { connectRpc, implementService } from '@binnacle/rpc';
import { createServiceEnvironment, type RunningService, runService, serve } from '@binnacle/service-kit';
import { remoteStorage } from '@binnacle/storage-contract';
import { noteCertificates } from '@binnacle/tls';
import { tokenReviewFlags } from './config.ts';
import { redisAccessFrom } from './decision-cache/redis-access.ts';
import { registerHealthChecks } from './health-checks.ts';
import { readTokenOptions } from './read-token-options.ts';
import { createTokenReview } from './token-review.ts';

await runService({ name: 'token-review', start });

async function start(): Promise<RunningService> {
  const flags = parseServiceFlags(tokenReviewFlags, { version: versionLine('token-review') });
  const environment = await createServiceEnvironment('token-review', flags);
  const { log, metrics, security, peers, health, files } = environment;
  const redis = await redisAccessFrom(flags, files);
  const tokenOptions = await readTokenOptions(flags, files);
  endIfValidating(flags);
  const storage = connectRpc(storageContract, {
    ...security,
    peers,
    addresses: flags.storageAddresses,
    serverName: 'storage',
    repeatable: ['get'],
    hedged: ['get'],
    log,
    metrics,
  });
  const storedObjects = remoteStorage(storage);
  // Without TLS each pod's decisions are its own.
  const ownSecret = randomBytes(32);
  const options = {
    ...tokenOptions(storedObjects),
    ...(redis && { redis }),
    // Pods of this service share their private key, and follow its file.
    secret: () => security.tls?.key ?? ownSecret,
    log,
    metrics,
    clock: Date.now,
  };
  const tokenReview = createTokenReview(options);
  const note = (): void =>
    noteCertificates(metrics, [
      { name: 'redis-client', pem: redis?.tls?.identity?.cert },
      { name: 'redis-authority', pem: redis?.tls?.ca },
      { name: 'oidc-authority', pem: options.oidc?.ca },
      { name: 'token-webhook-client', pem: options.webhook?.configuration.clientCertificate },
      { name: 'token-webhook-authority', pem: options.webhook?.configuration.certificateAuthority },
    ]);
  note();
  files.onChange(note);
  registerHealthChecks(health, { tokenReview, options, remoteStorage: storedObjects });
  return serve(environment, {
    flags,
    services: [implementService(tokenReviewContract, tokenReview, { gateway: 'all' })],
    host: flags.host,
    port: flags.port,
    resources: [storage, tokenReview],
  });
}
