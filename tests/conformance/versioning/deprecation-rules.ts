import assert from 'node:assert/strict';
import { createAll, freshCollection, listNames } from '../drivers/collections.ts';
import type { ConformanceServer, ConformanceTests } from '../drivers/conformance-server.ts';
import { findSamples } from '../drivers/metrics-text.ts';
import { withOtherSwitches } from '../drivers/variants.ts';
import {
  deprecations,
  type Stability,
  servedResources,
  servedVersions,
  stabilityFromVersion,
} from './discovery.ts';
import { autoscalers, bothWays, capacities, eventsIn, priorityLevels } from './round-trip.ts';

const ranks: Readonly<Record<Stability, number>> = { alpha: 0, beta: 1, stable: 2 };

/** The one beta gate that release 1.26 has off, as kube-apiserver of that release does. */
export const offInRelease = 'MinDomainsInPodTopologySpread';

/** The gates of a stage, by the metrics of a server. */
export async function gates(server: ConformanceServer, stage: string) {
  const { text } = await server.expect(200, 'GET', '/metrics');
  const all = findSamples(text, 'kubernetes_feature_enabled').filter(
    ({ labels }) => labels['stage'] === stage,
  );
  assert.ok(all.length > 0, `no gate of stage ${stage}`);
  return all.map(({ labels, value }) => ({ name: labels['name'] ?? '', value }));
}

/** 1, "Deprecation rules". */
export const deprecationRuleTests: ConformanceTests = {
  async '1/Deprecation rules/1 deprecated fields are still there'(server) {
    const namespace = await server.namespace();
    const strict = (resource: string) => `/api/v1/namespaces/${namespace}/${resource}?fieldValidation=Strict`;
    const service = { type: 'LoadBalancer', ports: [{ port: 80 }], loadBalancerIP: '192.0.2.9' };
    const created = await server.expect(201, 'POST', strict('services'), {
      body: { metadata: { name: 's' }, spec: service },
    });
    assert.equal(created.at('spec', 'loadBalancerIP'), '192.0.2.9');
    const containers = [{ name: 'c', image: 'i:1' }];
    const pod = await server.expect(201, 'POST', strict('pods'), {
      body: { metadata: { name: 'p' }, spec: { containers, serviceAccount: 'default' } },
    });
    assert.deepEqual(
      [pod.at('spec', 'serviceAccount'), pod.at('spec', 'serviceAccountName')],
      ['default', 'default'],
    );
    const externalID = `external-${namespace}`;
    const node = await server.expect(201, 'POST', '/api/v1/nodes?fieldValidation=Strict', {
      body: { metadata: { name: namespace }, spec: { externalID } },
    });
    assert.equal(node.at('spec', 'externalID'), externalID);
    await server.expect(200, 'DELETE', `/api/v1/nodes/${namespace}`);
  },

  async '1/Deprecation rules/2 autoscalers, v1 and v2'(server) {
    await bothWays(server, autoscalers(await server.namespace()));
  },

  async '1/Deprecation rules/2 what v1 of autoscalers has no field for is kept'(server) {
    const [{ collection: v1 }, { collection: v2, body }] = autoscalers(await server.namespace());
    await server.expect(201, 'POST', v2, { body });
    const old = await server.expect(200, 'GET', `${v1}/new`);
    assert.equal(old.at('spec', 'targetCPUUtilizationPercentage'), 50);
    await server.expect(200, 'PUT', `${v1}/new`, { body: old.body });
    const { at: inV2 } = await server.expect(200, 'GET', `${v2}/new`);
    assert.equal(inV2('spec', 'metrics', 1, 'resource', 'name'), 'memory');
    assert.equal(inV2('spec', 'behavior', 'scaleDown', 'stabilizationWindowSeconds'), 60);
  },

  async '1/Deprecation rules/2 events, of the core group and of their own'(server) {
    await bothWays(server, eventsIn(await server.namespace()));
  },

  '1/Deprecation rules/2 priority levels, v1beta2 and v1beta3': server => bothWays(server, priorityLevels()),

  async '1/Deprecation rules/2 storage capacities, v1beta1 and v1'(server) {
    await bothWays(server, capacities(await server.namespace()));
  },

  async '1/Deprecation rules/3 whatever replaces a version is as stable and is served'(server) {
    const found = await deprecations(server);
    const served = await servedVersions(server);
    const replaced = found.filter(({ successor }) => successor !== undefined);
    assert.ok(replaced.length > 0);
    for (const { resource, successor, text } of replaced) {
      const next = served.find(({ groupVersion }) => groupVersion === successor);
      assert.ok(next, `${text}: ${successor} is not served`);
      assert.ok(
        ranks[stabilityFromVersion(next.version)] >= ranks[stabilityFromVersion(resource.version)],
        text,
      );
    }
  },

  async '1/Deprecation rules/4a what is deprecated in a stable version is served, and no end is named'(
    server,
  ) {
    const stable = (await deprecations(server)).filter(
      ({ resource }) => stabilityFromVersion(resource.version) === 'stable',
    );
    assert.ok(stable.some(({ resource }) => resource.name === 'componentstatuses'));
    for (const { text, goneIn } of stable) assert.equal(goneIn, undefined, text);
  },

  async '1/Deprecation rules/4b the release that a beta is gone in is yet to come'(server) {
    const minor = Number((await server.expect(200, 'GET', '/version')).at('minor'));
    const beta = (await deprecations(server)).filter(
      ({ resource }) => stabilityFromVersion(resource.version) === 'beta',
    );
    assert.ok(beta.length > 0);
    for (const { text, since, goneIn } of beta) {
      assert.ok(since !== undefined && since <= minor, text);
      assert.ok(goneIn !== undefined && goneIn > minor, text);
    }
  },

  async '1/Deprecation rules/4d versions of a group are served side by side, from one stored form'(server) {
    const versions = await servedVersions(server);
    const several = Map.groupBy(versions, ({ group }) => group);
    for (const [group, ofGroup] of several) {
      if (group === '') continue;
      const { at: inGroup } = await server.expect(200, 'GET', `/apis/${group}`);
      const preferred = inGroup('preferredVersion', 'groupVersion');
      assert.ok(
        ofGroup.some(({ groupVersion }) => groupVersion === preferred),
        group,
      );
    }
    const resources = (await servedResources(server)).filter(resource => resource.storageVersionHash !== '');
    const shared = [...Map.groupBy(resources, ({ group, name }) => `${group} ${name}`)].filter(
      ([, forms]) => forms.length > 1,
    );
    assert.ok(shared.some(([name]) => name === 'autoscaling horizontalpodautoscalers'));
    for (const [name, forms] of shared)
      assert.equal(new Set(forms.map(({ storageVersionHash }) => storageVersionHash)).size, 1, name);
  },

  async '1/Deprecation rules/6 a flag with an element that is on its way out is warned of in the log'(
    server,
  ) {
    const other = await withOtherSwitches(server);
    const warnings = (await other.log(0)).split('\n').filter(line => line.includes('"warn"'));
    assert.ok(
      warnings.some(line => line.includes('DryRun')),
      'a gate that does nothing any more was set',
    );
  },

  async '1/Deprecation rules/7 older ways to watch, to ask for health and to name an account work'(server) {
    const collection = await freshCollection(server);
    await createAll(server, collection, ['a']);
    using watch = await server.watch(collection.replace('/api/v1/', '/api/v1/watch/'));
    const [event] = await watch.heard(1);
    assert.deepEqual([event?.type, event?.at('metadata', 'name')], ['ADDED', 'a']);
    assert.equal((await server.expect(200, 'GET', '/healthz')).text, 'ok');
    const pods = `/api/v1/namespaces/${await server.namespace()}/pods`;
    const spec = { containers: [{ name: 'c', image: 'i:1' }], serviceAccount: 'default' };
    const pod = await server.expect(201, 'POST', pods, { body: { metadata: { name: 'p' }, spec } });
    assert.equal(pod.at('spec', 'serviceAccountName'), 'default');
  },

  async '1/Deprecation rules/8a every alpha gate is off, and so is what it is for'(server) {
    for (const { name, value } of await gates(server, 'ALPHA')) assert.equal(value, 0, name);
    const aggregated = 'application/json;g=apidiscovery.cluster.io;v=v2beta1;as=APIGroupDiscoveryList';
    const apis = await server.expect(200, 'GET', '/apis', { accept: `${aggregated},application/json` });
    assert.equal(apis.at('kind'), 'APIGroupList');
  },

  async '1/Deprecation rules/8b every beta gate is on, and so is what it is for'(server) {
    for (const { name, value } of await gates(server, 'BETA'))
      assert.equal(value, name === offInRelease ? 0 : 1, name);
    await server.expect(200, 'GET', '/openapi/v3');
    const collection = await freshCollection(server);
    await createAll(server, collection, ['a', 'b']);
    assert.deepEqual(listNames(await server.expect(200, 'GET', `${collection}?limit=1`)), ['a']);
    const other = await withOtherSwitches(server);
    const off = (await gates(other, 'BETA')).filter(({ value }) => value === 0).map(({ name }) => name);
    assert.deepEqual(
      off.sort(),
      ['APIListChunking', offInRelease, 'ServerSideFieldValidation'],
      'until they are switched off',
    );
  },

  async '1/Deprecation rules/8c what is generally available is on whether its gate is named or not'(server) {
    const other = await withOtherSwitches(server);
    for (const which of [server, other]) {
      for (const { name, value } of await gates(which, '')) assert.equal(value, 1, name);
      const collection = await freshCollection(which);
      await which.expect(201, 'POST', `${collection}?dryRun=All`, { body: { metadata: { name: 'a' } } });
      await which.expect(404, 'GET', `${collection}/a`);
    }
  },

  async '1/Deprecation rules/9a such a gate is warned of by its name, others are not'(server) {
    const other = await withOtherSwitches(server);
    const lines = (await other.log(0)).split('\n').filter(line => line.includes('feature gate'));
    const messages = lines.map(line => JSON.parse(line));
    assert.ok(messages.some(({ level, message }) => level === 'warn' && /\bDryRun\b/.test(message)));
    assert.ok(messages.every(({ message }) => !/APIListChunking|ServerSideFieldValidation/.test(message)));
  },
};
