import type { ConfigMap, Secret } from '@binnacle/api-types/core/v1';
import type { ApiClient } from '@binnacle/client';
import { updateUnlessChanged } from '../requests/settled-writes.ts';
import { done, type Reconciled } from '../work-queue/reconciled.ts';
import { findSigningToken, signedData } from './signatures.ts';
import { untilExpiry } from './until-expiry.ts';

/** Options of signing `cluster-info`. */
interface SigningOptions {
  readonly client: Pick<ApiClient, 'request'>;
  readonly clock: () => number;
}

const resource = { group: '', version: 'v1', resource: 'configmaps' };

/**
 * Signs the client configuration in `cluster-info` with every bootstrap token for signing, and removes other signatures; the next pass
 * follows when the first of the tokens expires. A joining client verifies by the signature that the server knows its token.
 */
export async function signClusterInfo(
  {
    clusterInfo,
    secrets,
  }: { readonly clusterInfo: ConfigMap | undefined; readonly secrets: readonly Secret[] },
  { client, clock }: SigningOptions,
  signal: AbortSignal,
): Promise<Reconciled> {
  if (clusterInfo === undefined || clusterInfo.immutable === true) return done;
  const now = clock();
  const tokens = secrets.map(secret => findSigningToken(secret, now)).filter(token => token !== undefined);
  const data = signedData(clusterInfo, tokens);
  if (data) {
    const object = { ...clusterInfo, apiVersion: 'v1', kind: 'ConfigMap', data };
    await updateUnlessChanged({ resource, object }, client, signal);
  }
  const afterMs = untilExpiry(tokens, now);
  return afterMs === undefined ? done : { kind: 'again', afterMs };
}
