import assert from 'node:assert/strict';
import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  NetworkingV1Api,
  PatchStrategy,
} from '@kubernetes/client-node';
import { until } from '../journeys/api-server.ts';
import type { TourStart } from './client-programs.ts';

/** A tour with the client library of Node. */
export async function tourOfNode({ configuration, namespace }: TourStart): Promise<void> {
  const config = new KubeConfig();
  config.loadFromFile(configuration);
  const core = config.makeApiClient(CoreV1Api);
  await core.createNamespace({ body: { metadata: { name: namespace } } });
  await followMaps(config, namespace);
  await followIngresses(config, namespace);
  await scale(config, namespace);
  await defineAndUse(config, namespace);
}

async function followMaps(config: KubeConfig, namespace: string): Promise<void> {
  const core = config.makeApiClient(CoreV1Api);
  const seen: string[] = [];
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const informer = makeInformer(
    config,
    path,
    () => core.listNamespacedConfigMap({ namespace, labelSelector: 'tour=yes' }),
    'tour=yes',
  );
  for (const event of ['add', 'update', 'delete'] as const)
    informer.on(event, object => seen.push(`${event} ${object.metadata?.name}`));
  informer.on('error', error => seen.push(`error ${error}`));
  await informer.start();
  const body = { metadata: { name: 'a', labels: { tour: 'yes' } }, data: { k: '1' } };
  const created = await core.createNamespacedConfigMap({ namespace, body });
  await core.replaceNamespacedConfigMap({ namespace, name: 'a', body: { ...created, data: { k: '2' } } });
  await assert.rejects(
    core.replaceNamespacedConfigMap({ namespace, name: 'a', body: created }),
    (error: unknown) => error instanceof ApiException && error.code === 409,
  );
  await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
  await until('the informer has seen all of it', () => seen.includes('delete a'));
  await informer.stop();
  assert.deepEqual(seen, ['add a', 'update a', 'delete a']);
}

/** Follows ingresses, whose group has a domain in its name. */
async function followIngresses(config: KubeConfig, namespace: string): Promise<void> {
  const networking = config.makeApiClient(NetworkingV1Api);
  const seen: string[] = [];
  const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`;
  const informer = makeInformer(config, path, () => networking.listNamespacedIngress({ namespace }));
  for (const event of ['add', 'update', 'delete'] as const)
    informer.on(event, ({ apiVersion, metadata }) =>
      seen.push(`${event} ${metadata?.name} of ${apiVersion}`),
    );
  informer.on('error', error => seen.push(`error ${error}`));
  await informer.start();
  const spec = { defaultBackend: { service: { name: 'web', port: { number: 80 } } } };
  const body = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'a' }, spec };
  const created = await networking.createNamespacedIngress({ namespace, body });
  assert.equal(created.apiVersion, body.apiVersion);
  await networking.replaceNamespacedIngress({
    namespace,
    name: 'a',
    body: { ...created, spec: { ...created.spec, ingressClassName: 'small' } },
  });
  await networking.deleteNamespacedIngress({ namespace, name: 'a' });
  await until('the informer has seen all of it', () => seen.length >= 3);
  await informer.stop();
  assert.deepEqual(
    seen,
    ['add', 'update', 'delete'].map(event => `${event} a of networking.k8s.io/v1`),
  );
}

async function scale(config: KubeConfig, namespace: string): Promise<void> {
  const apps = config.makeApiClient(AppsV1Api);
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } };
  const body = { metadata: { name: 'web' }, spec: { selector: { matchLabels: labels }, template } };
  await apps.createNamespacedDeployment({ namespace, body });
  const current = await apps.readNamespacedDeploymentScale({ namespace, name: 'web' });
  await apps.replaceNamespacedDeploymentScale({
    namespace,
    name: 'web',
    body: { ...current, spec: { replicas: 3 } },
  });
  assert.equal((await apps.readNamespacedDeployment({ namespace, name: 'web' })).spec?.replicas, 3);
}

async function defineAndUse(config: KubeConfig, namespace: string): Promise<void> {
  const objects = KubernetesObjectApi.makeApiClient(config);
  const group = `${namespace}.example.com`;
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
  };
  const names = { plural: 'nodules', kind: 'Nodule' };
  const metadata = { name: `nodules.${group}` };
  const kind = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  await objects.create({ ...kind, spec: { group, scope: 'Namespaced', names, versions } } as typeof kind);
  const custom = config.makeApiClient(CustomObjectsApi);
  const place = { group, version: 'v1', namespace, plural: 'nodules' };
  const nodule = { apiVersion: `${group}/v1`, kind: 'Nodule', metadata: { name: 'a', namespace } };
  await until('the objects are served', async () => {
    const list = await custom.listNamespacedCustomObject(place).catch(() => undefined);
    return list !== undefined;
  });
  await custom.createNamespacedCustomObject({ ...place, body: { ...nodule, spec: { size: 1 } } });
  const applied = await objects.patch(
    { ...nodule, spec: { size: 2 } } as typeof nodule,
    undefined,
    undefined,
    'tour',
    true,
    PatchStrategy.ServerSideApply,
  );
  assert.equal((applied as unknown as { spec: { size: number } }).spec.size, 2); // The apply's own answer.
  await assert.rejects(
    custom.createNamespacedCustomObject({
      ...place,
      body: { ...nodule, metadata: { name: 'b' }, spec: { size: 'long' } },
    }),
    (error: unknown) => error instanceof ApiException && error.code === 422,
  );
}
