import type { EventRecord, HistoryRecord } from '@binnacle/binnaclectl/testing';
import { pause } from '@binnacle/event-loop';
import { KubeConfig, type KubernetesObject, makeInformer } from '@kubernetes/client-node';
import { readCounter } from './writer.ts';

/** An informer of `@kubernetes/client-node` that notes everything it tells. */
export interface Follower extends AsyncDisposable {
  /** One watch from the version of the list on, and its events. */
  readonly records: readonly HistoryRecord[];
  /** How often it had to list, the first time included: a list may hide changes, so a perfect watch needs one. */
  readonly lists: number;
}

/** The fields of an object that the follower reads. */
type Counted = KubernetesObject & { data?: Record<string, string> };
interface CountedList {
  readonly items: Counted[];
  readonly metadata: { readonly resourceVersion: string };
}

/** Follows a resource of a namespace through one gateway. */
export async function followCollection(
  configuration: string,
  server: string,
  { resource, namespace }: { readonly resource: string; readonly namespace: string },
): Promise<Follower> {
  const path = `/api/v1/namespaces/${namespace}/${resource}`;
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(configuration);
  const cluster = kubeConfig.getCurrentCluster();
  if (!cluster) throw new Error('the client configuration names no cluster');
  kubeConfig.clusters = [{ ...cluster, server }];
  const records: HistoryRecord[] = [];
  const stopping = new AbortController();
  let lists = 0;
  const list = async () => {
    lists++;
    const { default: https } = await import('node:https');
    const options: Record<string, unknown> = {};
    await kubeConfig.applyToHTTPSOptions(options);
    return new Promise<CountedList>((resolve, reject) => {
      const request = https.get(new URL(path, server), { ...options, timeout: 10_000 }, response => {
        const parts: Buffer[] = [];
        response.on('data', part => parts.push(part));
        response.on('end', () => {
          const listed: CountedList = JSON.parse(Buffer.concat(parts).toString());
          const from = listed.metadata.resourceVersion;
          const at = performance.now();
          if (lists === 1)
            records.push({ kind: 'watch', watcher: resource, at, server, resource, namespace, from });
          resolve(listed);
        });
        response.on('error', reject);
      });
      request.on('error', reject);
    });
  };
  const informer = makeInformer<Counted>(kubeConfig, path, list as never);
  const note = (event: EventRecord['event'], object: Counted): void => {
    const { name = '', resourceVersion: version = '' } = object.metadata ?? {};
    const value = String(readCounter(object as Parameters<typeof readCounter>[0]));
    records.push({
      kind: 'event',
      watcher: resource,
      at: performance.now(),
      event,
      namespace,
      name,
      version,
      value,
    });
  };
  informer.on('add', object => note('ADDED', object));
  informer.on('update', object => note('MODIFIED', object));
  informer.on('error', async () => {
    await pause(200, stopping.signal);
    if (!stopping.signal.aborted) await informer.start().catch(() => {});
  });
  await informer.start();
  return {
    records,
    get lists() {
      return lists;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await informer.stop();
    },
  };
}
