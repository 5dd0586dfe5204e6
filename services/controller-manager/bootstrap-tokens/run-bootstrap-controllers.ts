import { namespaces } from '@binnacle/api-names';
import { bootstrapTokenFrom, bootstrapTokenNamespace, bootstrapTokenTypes } from '@binnacle/api-types';
import type { ConfigMap, Secret } from '@binnacle/api-types/core/v1';
import { type ApiClient, Informer } from '@binnacle/client';
import { untilAborted } from '@binnacle/event-loop';
import { deleteUnlessChanged, updateUnlessChanged } from '../requests/settled-writes.ts';
import type { ControllerName } from '../selection/chosen-controllers.ts';
import { SecretsOfTypes } from '../service-accounts/secrets-of-types.ts';
import { done, type Reconciled } from '../work-queue/reconciled.ts';
import { WorkQueue } from '../work-queue/work-queue.ts';
import { findSigningToken, signedData } from './signatures.ts';
import { untilExpiry } from './until-expiry.ts';

/** Options of the controllers of bootstrap tokens. */
interface BootstrapOptions {
  readonly client: ApiClient;
  readonly clock: () => number;
  /** The controllers that run. */
  readonly controllers: ReadonlySet<ControllerName>;
  readonly onError: (controller: string, key: string, error: unknown) => void;
}

const configMapType = { group: '', version: 'v1', resource: 'configmaps' };
const secretType = { group: '', version: 'v1', resource: 'secrets' };
const clusterInfo = { namespace: namespaces.public, name: 'cluster-info' };

/** Deletes bootstrap tokens that expire, and signs `cluster-info` with the others, until the signal aborts. */
export async function runBootstrapControllers(options: BootstrapOptions, signal: AbortSignal): Promise<void> {
  const { controllers } = options;
  await Promise.all([
    controllers.has('tokencleaner') && runTokenCleaner(options, signal),
    controllers.has('bootstrapsigner') && runBootstrapSigner(options, signal),
  ]);
}

async function runTokenCleaner(options: BootstrapOptions, signal: AbortSignal): Promise<void> {
  const queue = new WorkQueue({
    concurrency: 2,
    reconcile: (name, stop) => deleteExpiredToken(tokens.get(bootstrapTokenNamespace, name), options, stop),
    onError: (key, error) => options.onError('tokencleaner', key, error),
  });
  const tokens = bootstrapSecrets('tokencleaner', options, {
    signal,
    lookAt: name => queue.add(name),
  });
  await Promise.all([tokens.run(), queue.run(signal)]);
}

/** Runs the signer. It writes only once all tokens are known: it would remove the signatures of unknown ones. */
async function runBootstrapSigner(options: BootstrapOptions, signal: AbortSignal): Promise<void> {
  const { client, onError } = options;
  const queue = new WorkQueue({
    concurrency: 1,
    reconcile: (_key, stop) => {
      const objects = {
        clusterInfo: configMaps.get(clusterInfo.namespace, clusterInfo.name),
        secrets: tokens.all(),
      };
      return signClusterInfo(objects, options, stop);
    },
    onError: (key, error) => onError('bootstrapsigner', key, error),
  });
  const lookAt = (): void => queue.add(clusterInfo.name);
  const tokens = bootstrapSecrets('bootstrapsigner', options, { signal, lookAt });
  const configMaps = new Informer({
    client,
    path: `/api/v1/namespaces/${clusterInfo.namespace}/configmaps`,
    fieldSelector: `metadata.name=${clusterInfo.name}`,
    signal,
    onChange: lookAt,
    onDelete: () => {},
    onError: error => onError('bootstrapsigner-informer', '', error),
  });
  const known = Promise.race([Promise.all([tokens.synced, configMaps.synced]), untilAborted(signal)]);
  await Promise.all([tokens.run(), configMaps.run(), known.then(() => queue.run(signal))]);
}

function bootstrapSecrets(
  controller: ControllerName,
  { client, onError }: BootstrapOptions,
  { signal, lookAt }: { readonly signal: AbortSignal; readonly lookAt: (name: string) => void },
): SecretsOfTypes {
  return new SecretsOfTypes({
    client,
    namespace: bootstrapTokenNamespace,
    types: bootstrapTokenTypes,
    signal,
    onChange: ({ metadata }) => lookAt(metadata.name ?? ''),
    onDelete: ({ metadata }) => lookAt(metadata.name ?? ''),
    onError: error => onError(`${controller}-informer`, '', error),
  });
}

/**
 * Signs the client configuration in `cluster-info` with every bootstrap token for signing, and removes other signatures; the next pass
 * follows when the first of the tokens expires. A joining client verifies by the signature that the server knows its token.
 */
async function signClusterInfo(
  {
    clusterInfo,
    secrets,
  }: { readonly clusterInfo: ConfigMap | undefined; readonly secrets: readonly Secret[] },
  { client, clock }: Pick<BootstrapOptions, 'client' | 'clock'>,
  signal: AbortSignal,
): Promise<Reconciled> {
  if (clusterInfo === undefined || clusterInfo.immutable === true) return done;
  const now = clock();
  const tokens = secrets.map(secret => findSigningToken(secret, now)).filter(token => token !== undefined);
  const data = signedData(clusterInfo, tokens);
  if (data) {
    const object = { ...clusterInfo, apiVersion: 'v1', kind: 'ConfigMap', data };
    await updateUnlessChanged({ resource: configMapType, object }, client, signal);
  }
  const afterMs = untilExpiry(tokens, now);
  return afterMs === undefined ? done : { kind: 'again', afterMs };
}

/**
 * Deletes the Secret of a bootstrap token that has expired, or whose expiration is no time; schedules the next pass over another one
 * for its expiration (spec 2, "States and transitions").
 */
async function deleteExpiredToken(
  secret: Secret | undefined,
  { client, clock }: Pick<BootstrapOptions, 'client' | 'clock'>,
  signal: AbortSignal,
): Promise<Reconciled> {
  const token = secret && bootstrapTokenFrom(secret);
  if (secret === undefined || token === undefined || secret.metadata.deletionTimestamp) return done;
  const afterMs = untilExpiry([token], clock());
  if (token.expiresAt > clock()) return afterMs === undefined ? done : { kind: 'again', afterMs };
  await deleteUnlessChanged({ resource: secretType, object: secret }, client, signal);
  return done;
}
