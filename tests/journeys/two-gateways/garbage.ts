import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { pollUntil } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import type { Distributed } from '@binnacle/compose';
import { StatusError } from '@binnacle/status-errors';
import type { TwoGateways } from './start-two-gateways.ts';

/** Dependents that go, or stay, with their owner, while a controller manager is killed too. */
export function registerGarbageJourney(gateways: () => TwoGateways): void {
  suite('garbage at two gateways', () => {
    const namespace = 'garbage';
    const collection = `/api/v1/namespaces/${namespace}/configmaps`;
    const dependents = 60;

    interface Item {
      readonly metadata: {
        readonly name: string;
        readonly uid: string;
        readonly resourceVersion: string;
        readonly ownerReferences?: readonly object[];
      };
    }

    let form: Distributed;
    let client: ApiClient;

    before(async () => {
      ({ form } = gateways());
      const configuration = { ...loadClientConfiguration(form.adminConfiguration), servers: form.gateways };
      client = createApiClient({ configuration, userAgent: 'garbage', maxSockets: 16 });
      const body = { metadata: { name: namespace } };
      await client.request({ method: 'POST', path: '/api/v1/namespaces', body });
    });

    after(() => client?.[Symbol.asyncDispose]());

    function make(name: string, ...owners: Item[]): Promise<Item> {
      const ownerReferences = owners.map(({ metadata }) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: metadata.name,
        uid: metadata.uid,
        blockOwnerDeletion: true,
      }));
      const body = { metadata: { name, ownerReferences } };
      return client.request<Item>({ method: 'POST', path: collection, body });
    }

    async function items(prefix: string): Promise<readonly Item[]> {
      const list = await client.request<{ items: Item[] }>({ method: 'GET', path: collection });
      return list.items.filter(({ metadata }) => metadata.name.startsWith(prefix));
    }

    async function exists(name: string): Promise<boolean> {
      try {
        await client.request({ method: 'GET', path: `${collection}/${name}` });
        return true;
      } catch (error) {
        if (error instanceof StatusError && error.code === 404) return false;
        throw error;
      }
    }

    /** An owner, so many dependents, and one dependent of the first of those. */
    async function makeTree(prefix: string): Promise<void> {
      const owner = await make(`${prefix}-owner`);
      const names = Array.from({ length: dependents }, (_, i) => `${prefix}-dependent-${i}`);
      const made = await Promise.all(names.map(name => make(name, owner)));
      const [first] = made;
      assert.ok(first);
      await make(`${prefix}-leaf`, first);
    }

    async function remove(prefix: string, propagationPolicy: string): Promise<void> {
      const path = `${collection}/${prefix}-owner?propagationPolicy=${propagationPolicy}`;
      await client.request({ method: 'DELETE', path });
    }

    for (const policy of ['Background', 'Foreground']) {
      test(`all dependents of an owner are deleted (${policy})`, { timeout: 120_000 }, async () => {
        const prefix = policy.toLowerCase();
        await makeTree(prefix);
        await remove(prefix, policy);
        await pollUntil('everything goes', async () => (await items(prefix)).length === 0);
      });
    }

    test('all dependents of an owner are kept without references to it (Orphan)', {
      timeout: 120_000,
    }, async () => {
      await makeTree('orphan');
      await remove('orphan', 'Orphan');
      await pollUntil('the owner goes', async () => !(await exists('orphan-owner')));
      const left = await items('orphan');
      assert.equal(left.length, dependents + 1);
      const referring = left.filter(({ metadata }) => (metadata.ownerReferences ?? []).length > 0);
      assert.deepEqual(
        referring.map(({ metadata }) => metadata.name),
        ['orphan-leaf'],
      );
    });

    test('the endpoints of a service are deleted with it at every gateway, and watches of them continue', {
      timeout: 120_000,
    }, async () => {
      const base = `/api/v1/namespaces/${namespace}`;
      const ports = [{ port: 80 }];
      const post = (path: string, body: object) => client.request<Item>({ method: 'POST', path, body });
      const subsets = [{ addresses: [{ ip: '10.1.2.3' }], ports }];
      await post(`${base}/services`, { metadata: { name: 'a' }, spec: { ports } });
      const made = await post(`${base}/endpoints`, { metadata: { name: 'a' }, subsets });
      await client.request({ method: 'DELETE', path: `${base}/services/a` });
      await post(`${base}/endpoints`, { metadata: { name: 'b' }, subsets });
      const configuration = loadClientConfiguration(form.adminConfiguration);
      for (const server of form.gateways) {
        await using other = createApiClient({
          configuration: { ...configuration, servers: [server] },
          userAgent: 'other',
        });
        const list = await other.request<{ items: Item[] }>({ method: 'GET', path: `${base}/endpoints` });
        assert.deepEqual(
          list.items.map(({ metadata }) => metadata.name),
          ['b'],
        );
        const { resourceVersion } = made.metadata;
        const query = `?watch=1&timeoutSeconds=30&resourceVersion=${resourceVersion}`;
        const seen: string[] = [];
        for await (const { type, object } of other.watch(
          `${base}/endpoints${query}`,
          AbortSignal.timeout(60_000),
        )) {
          seen.push(`${type} ${object.metadata.name}`);
          if (seen.length === 2) break;
        }
        assert.deepEqual(seen, ['DELETED a', 'ADDED b']);
      }
    });

    /** The name of the process whose controllers run. */
    async function leadingManager(): Promise<string> {
      for (const name of ['controller-manager-1', 'controller-manager-2']) {
        const metrics = await fetch(`http://127.0.0.1:${form.operationsPort(name)}/metrics`);
        if (/^leader_election_master_status\{.*\} 1$/m.test(await metrics.text())) return name;
      }
      throw new Error('no controller-manager leads');
    }

    test('the work of a killed collector is finished by another', {
      timeout: 180_000,
    }, async () => {
      await makeTree('killed');
      await remove('killed', 'Foreground');
      await pollUntil('some go', async () => (await items('killed')).length < dependents);
      const manager = form.process(await leadingManager());
      await manager.kill();
      await pollUntil('the others go', async () => (await items('killed')).length === 0, {
        timeoutMs: 120_000,
      });
      await manager.restart();
    });
  });
}
