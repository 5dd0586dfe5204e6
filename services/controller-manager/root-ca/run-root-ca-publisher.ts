import { type ApiClient, Informer } from '@binnacle/client';
import { untilAborted } from '@binnacle/event-loop';
import { WorkQueue } from '../work-queue/work-queue.ts';
import { publishRootCa, rootCaConfigMap } from './publish-root-ca.ts';

/** Options of the publisher of the certificate authority. */
interface RootCaOptions {
  readonly client: ApiClient;
  /** PEM. */
  readonly rootCa: string;
  readonly onError: (controller: string, key: string, error: unknown) => void;
}

const controller = 'root-ca-cert-publisher';

/**
 * Maintains a config map with the certificate authority of the API in every namespace, which pods mount, until the signal aborts.
 */
export async function runRootCaPublisher(
  { client, rootCa, onError }: RootCaOptions,
  signal: AbortSignal,
): Promise<void> {
  const queue = new WorkQueue({
    concurrency: 4,
    reconcile: (name, stop) => {
      const objects = { namespace: namespaces.get('', name), current: configMaps.get(name, rootCaConfigMap) };
      return publishRootCa(objects, { client, rootCa }, stop);
    },
    onError: (key, error) => onError(controller, key, error),
  });
  const followed = { signal, onError: (error: unknown) => onError(`${controller}-informer`, '', error) };
  const namespaces = new Informer({
    ...followed,
    client,
    path: '/api/v1/namespaces',
    metadataOnly: true,
    onChange: ({ metadata }) => queue.add(metadata.name ?? ''),
    onDelete: () => {},
  });
  const lookAt = ({ metadata }: { metadata: { namespace?: string } }): void =>
    queue.add(metadata.namespace ?? '');
  const configMaps = new Informer({
    ...followed,
    client,
    path: '/api/v1/configmaps',
    fieldSelector: `metadata.name=${rootCaConfigMap}`,
    onChange: lookAt,
    onDelete: lookAt,
  });
  const known = Promise.race([Promise.all([namespaces.synced, configMaps.synced]), untilAborted(signal)]);
  await Promise.all([namespaces.run(), configMaps.run(), known.then(() => queue.run(signal))]);
}
