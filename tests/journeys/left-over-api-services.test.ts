import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { startAdminServer } from './admin-server.ts';
import { until } from './api-server.ts';
import { createDefinition, definitionsPath } from './custom-widget.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const apiServices = '/apis/apiregistration.cluster.io/v1/apiservices';
const label = 'cluster-aggregator.cluster.io/automanaged';
const alpha = 'v1alpha1.admissionregistration.cluster.io';
const served = 'v1.kept.example.com';

function apiService(name: string, labels: Record<string, string>): JsonObject {
  const [version = '', ...group] = name.split('.');
  return {
    apiVersion: 'apiregistration.cluster.io/v1',
    kind: 'APIService',
    metadata: { name, labels },
    spec: { group: group.join('.'), version, groupPriorityMinimum: 5, versionPriority: 6 },
  };
}

test('APIServices of built-in versions that are no longer served are deleted once at a start', async () => {
  await using directory = await createTemporaryDirectory();
  const start = (runtimeConfig: string) => startAdminServer({ dataDir: directory.path, runtimeConfig });
  {
    await using server = await start('admissionregistration.cluster.io/v1alpha1=true');
    await server.expect(200, 'GET', `${apiServices}/${alpha}`);
    for (const [name, labels] of [
      ['v1.users.example.com', {}],
      ['v1.made-later.example.com', { [label]: 'onstart' }],
      [served, { [label]: 'onstart' }],
    ] as const)
      await server.expect(201, 'POST', apiServices, { body: apiService(name, labels) });
    const versions = [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } },
    ];
    const body = createDefinition('kepts', 'Kept', {}, { group: 'kept.example.com', versions });
    await server.expect(201, 'POST', definitionsPath, { body });
    const { code } = await server.send('GET', `${apiServices}/${alpha}`);
    assert.equal(code, 200);
    await until('the pass after them', async () => {
      return (await server.send('GET', `${apiServices}/v2.kept.example.com`)).code === 200;
    });
    // They were made after the start.
    await server.expect(200, 'GET', `${apiServices}/v1.made-later.example.com`);
  }
  {
    await using server = await start('');
    const isGone = async (name: string) => (await server.send('GET', `${apiServices}/${name}`)).code === 404;
    await until('that of the version is gone', () => isGone(alpha));
    await until('the other one is gone', () => isGone('v1.made-later.example.com'));
    await server.expect(200, 'GET', `${apiServices}/v1.admissionregistration.cluster.io`);
    await server.expect(200, 'GET', `${apiServices}/v1.users.example.com`);
    await server.expect(200, 'GET', `${apiServices}/${served}`);
    // An object that is created anew is not of the start any more.
    await server.expect(201, 'POST', apiServices, { body: apiService(alpha, { [label]: 'onstart' }) });
    const stray = 'v1.stray.example.com';
    await server.expect(201, 'POST', apiServices, { body: apiService(stray, { [label]: 'true' }) });
    await until('the pass after it', () => isGone(stray));
    await server.expect(200, 'GET', `${apiServices}/${alpha}`);
  }
  {
    await using server = await start('admissionregistration.cluster.io/v1alpha1=true');
    await server.expect(200, 'GET', `${apiServices}/${alpha}`);
  }
});
