import { annotations as annotationNames } from '@binnacle/api-names';
import { equalJson } from '@binnacle/api-objects';
import type { ConfigMap, Namespace } from '@binnacle/api-types/core/v1';
import type { ApiClient } from '@binnacle/client';
import {
  createUnlessTerminating,
  deleteUnlessChanged,
  updateUnlessChanged,
} from '../requests/settled-writes.ts';
import { done, type Reconciled } from '../work-queue/reconciled.ts';

/** The config map with the certificate authority of the API, for pods. */
export const rootCaConfigMap = 'kube-root-ca.crt';

/** Options of publishing the certificate authority. */
interface PublishOptions {
  readonly client: Pick<ApiClient, 'request'>;
  /** PEM. */
  readonly rootCa: string;
}

const resource = { group: '', version: 'v1', resource: 'configmaps' };
const description =
  'Certificates of the authority that the API server can be verified with at its addresses within the cluster; what else they verify is not defined.';

/**
 * Makes sure that the config map of a live namespace has the certificate authority of the API and nothing else. An immutable one with
 * other content is deleted, and recreated after the deletion event.
 */
export async function publishRootCa(
  {
    namespace,
    current,
  }: { readonly namespace: Namespace | undefined; readonly current: ConfigMap | undefined },
  { client, rootCa }: PublishOptions,
  signal: AbortSignal,
): Promise<Reconciled> {
  const { name, deletionTimestamp } = namespace?.metadata ?? {};
  if (name === undefined || deletionTimestamp) return done;
  const data = { 'ca.crt': rootCa };
  if (current === undefined) {
    const metadata = {
      name: rootCaConfigMap,
      namespace: name,
      annotations: { [annotationNames.description]: description },
    };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
    await createUnlessTerminating({ resource, object }, client, signal);
    return done;
  }
  const { metadata, binaryData: _, ...rest } = current;
  const { annotations = {} } = metadata;
  const isWhole = equalJson(current.data ?? {}, data) && current.binaryData === undefined;
  if (isWhole && (annotations[annotationNames.description] ?? '') !== '') return done;
  if (current.immutable === true && !isWhole) {
    await deleteUnlessChanged({ resource, object: current }, client, signal);
    return done;
  }
  const object = {
    ...rest,
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata, annotations: { ...annotations, [annotationNames.description]: description } },
    data,
  };
  await updateUnlessChanged({ resource, object }, client, signal);
  return done;
}
