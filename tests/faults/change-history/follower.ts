import { pause } from '@binnacle/event-loop';
import { KubeConfig, type KubernetesObject, makeInformer } from '@kubernetes/client-node';
import { counterOf } from './writer.ts';

/** One change as an informer told of it. */
export interface SeenChange {
  readonly name: string;
  readonly counter: number;
  readonly version: number;
}

/** An informer of `@kubernetes/client-node` that notes everything it tells. */
export interface Follower extends AsyncDisposable {
  readonly seen: readonly SeenChange[];
  /** How often it had to list, the first time included: a list may hide changes, so a perfect watch needs one. */
  readonly lists: number;
}

/** The fields of an object that the follower reads. */
type Counted = KubernetesObject & { data?: Record<string, string> };

/** Follows a collection through one gateway. */
export async function followCollection(
  configuration: string,
  server: string,
  path: string,
): Promise<Follower> {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(configuration);
  const cluster = kubeConfig.getCurrentCluster();
  if (!cluster) throw new Error('the client configuration names no cluster');
  kubeConfig.clusters = [{ ...cluster, server }];
  const seen: SeenChange[] = [];
  const stopping = new AbortController();
  let lists = 0;
  const list = async () => {
    lists++;
    const { default: https } = await import('node:https');
    const options: Record<string, unknown> = {};
    await kubeConfig.applyToHTTPSOptions(options);
    return new Promise<{ items: Counted[]; metadata: { resourceVersion: string } }>((resolve, reject) => {
      const request = https.get(new URL(path, server), { ...options, timeout: 10_000 }, response => {
        const parts: Buffer[] = [];
        response.on('data', part => parts.push(part));
        response.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString())));
        response.on('error', reject);
      });
      request.on('error', reject);
    });
  };
  const informer = makeInformer<Counted>(kubeConfig, path, list as never);
  const note = (object: Counted): void => {
    seen.push({
      name: object.metadata?.name ?? '',
      counter: counterOf(object as Parameters<typeof counterOf>[0]),
      version: Number(object.metadata?.resourceVersion),
    });
  };
  informer.on('add', note);
  informer.on('update', note);
  informer.on('error', async () => {
    await pause(200, stopping.signal);
    if (!stopping.signal.aborted) await informer.start().catch(() => {});
  });
  await informer.start();
  return {
    seen,
    get lists() {
      return lists;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await informer.stop();
    },
  };
}
