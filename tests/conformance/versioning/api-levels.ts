import assert from 'node:assert/strict';
import { assertRefused } from '../drivers/collections.ts';
import type { ConformanceServer, ConformanceTests } from '../drivers/conformance-server.ts';
import { withOtherSwitches } from '../drivers/variants.ts';
import {
  deprecations,
  type Stability,
  servedResources,
  servedVersions,
  stabilityFromVersion,
} from './discovery.ts';

/** Every group with its stable version, as release 1.26 has them. */
const stable = [
  ...['v1', 'apps/v1', 'autoscaling/v1', 'autoscaling/v2', 'batch/v1', 'policy/v1'],
  ...[
    ...['admissionregistration', 'apiextensions', 'apiregistration', 'authentication', 'authorization'],
    ...['certificates', 'coordination', 'discovery', 'events', 'networking', 'node'],
    ...['rbac.authorization', 'scheduling', 'storage'],
  ].map(group => `${group}.cluster.io/v1`),
];

/** The beta resources that a server may have by default, with the release that brought their first beta version. */
const introduced: Readonly<Record<string, number>> = {
  'flowcontrol.apiserver.cluster.io flowschemas': 20,
  'flowcontrol.apiserver.cluster.io prioritylevelconfigurations': 20,
  'storage.cluster.io csistoragecapacities': 21,
};

async function listVersions(server: ConformanceServer, stability: Stability): Promise<string[]> {
  const versions = await servedVersions(server);
  return versions
    .filter(({ version }) => stabilityFromVersion(version) === stability)
    .map(({ groupVersion }) => groupVersion);
}

/** 1, "API levels". */
export const apiLevelTests: ConformanceTests = {
  async '1/API levels/Alpha 1 what is switched on as alpha is called so'(server) {
    const other = await withOtherSwitches(server);
    const alpha = await listVersions(other, 'alpha');
    assert.deepEqual(alpha.sort(), ['authentication.cluster.io/v1alpha1', 'networking.cluster.io/v1alpha1']);
  },

  async '1/API levels/Alpha 2 by default there is none; one that is switched on works'(server) {
    assert.deepEqual(await listVersions(server, 'alpha'), []);
    const path = '/apis/networking.cluster.io/v1alpha1/clustercidrs';
    assertRefused(await server.request('GET', path), 404, 'NotFound');
    const other = await withOtherSwitches(server);
    const spec = { perNodeHostBits: 8, ipv4: '10.80.0.0/16' };
    const created = await other.expect(201, 'POST', path, { body: { metadata: { name: 'c' }, spec } });
    assert.equal(created.at('apiVersion'), 'networking.cluster.io/v1alpha1');
    assert.equal((await other.expect(200, 'GET', `${path}/c`)).at('spec', 'ipv4'), '10.80.0.0/16');
  },

  async '1/API levels/Beta 1 every version that is not stable or alpha is called beta'(server) {
    const beta = await listVersions(server, 'beta');
    assert.ok(beta.length > 0);
    for (const groupVersion of beta) assert.match(groupVersion, /\/v\d+beta\d+$/);
  },

  async '1/API levels/Beta 2 by default there are those of APIs that were beta before 1.22'(server) {
    const versions = await servedVersions(server);
    const beta = versions.filter(({ version }) => stabilityFromVersion(version) === 'beta');
    const resources = await servedResources(server, beta);
    const names = resources
      .filter(({ name }) => !name.includes('/'))
      .map(({ group, name }) => `${group} ${name}`);
    assert.deepEqual([...new Set(names)].sort(), Object.keys(introduced).sort());
    for (const name of names) assert.ok((introduced[name] ?? Number.NaN) < 22, name);
  },

  async '1/API levels/Beta 3 a deprecated beta is gone three releases later at the latest'(server) {
    const beta = (await deprecations(server)).filter(
      ({ resource }) => stabilityFromVersion(resource.version) === 'beta',
    );
    assert.ok(beta.length > 0);
    for (const { text, since, goneIn } of beta) {
      assert.ok(since !== undefined && goneIn !== undefined, text);
      assert.ok(goneIn > since && goneIn - since <= 3, text);
    }
  },

  async '1/API levels/Stable 1 stable versions are called by a number alone'(server) {
    for (const groupVersion of await listVersions(server, 'stable'))
      assert.match(groupVersion, /^(?:[a-z\d.]+\/)?v[1-9]\d*$/);
  },

  async '1/API levels/Stable 2 every stable version of the release is served'(server) {
    const served = await listVersions(server, 'stable');
    for (const groupVersion of stable) assert.ok(served.includes(groupVersion), groupVersion);
    for (const path of [
      '/api/v1/pods',
      '/apis/autoscaling/v1/horizontalpodautoscalers',
      '/apis/apps/v1/daemonsets',
    ])
      await server.expect(200, 'GET', path);
  },
};
