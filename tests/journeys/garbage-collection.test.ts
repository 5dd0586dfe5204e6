import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at } from './admin-server.ts';
import { until } from './api-server.ts';
import { objectsAt } from './setup/json-parts.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server[Symbol.asyncDispose]());

const mergePatch = 'application/merge-patch+json';

interface Made {
  readonly path: string;
  readonly name: string;
  readonly uid: string;
}

/** An owner reference to a ConfigMap. */
function refer(owner: Made, more: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', name: owner.name, uid: owner.uid, ...more };
}

const blocking = { blockOwnerDeletion: true };

async function make(namespace: string, name: string, ownerReferences: JsonValue[] = []): Promise<Made> {
  const body = { metadata: { name, ownerReferences } };
  const made = await server.expect(201, 'POST', `${namespace}/configmaps`, { body });
  return { path: `${namespace}/configmaps/${name}`, name, uid: String(at(made, 'metadata', 'uid')) };
}

async function remove(object: Made, propagationPolicy?: string): Promise<void> {
  const query = propagationPolicy === undefined ? '' : `?propagationPolicy=${propagationPolicy}`;
  await server.expect(200, 'DELETE', object.path + query);
}

const exists = async ({ path, uid }: Made): Promise<boolean> =>
  at((await server.send('GET', path)).body, 'metadata', 'uid') === uid;

const gone = (what: string, ...objects: Made[]): Promise<void> =>
  until(`${what} goes`, async () => {
    const left = await Promise.all(objects.map(exists));
    return !left.includes(true);
  });

async function readOwners(object: Made): Promise<JsonValue | undefined> {
  return at(await server.expect(200, 'GET', object.path), 'metadata', 'ownerReferences');
}

/** Everything that was due before this call is done after it: a dependent made now is collected in its turn. */
async function settle(namespace: string): Promise<void> {
  const owner = await make(namespace, 'settle-owner');
  const dependent = await make(namespace, 'settle-dependent', [refer(owner)]);
  await remove(owner);
  await gone('the dependent that is waited for', dependent);
}

for (const policy of [undefined, 'Background']) {
  test(`a chain of dependents is deleted after its owner with policy ${policy}`, async () => {
    const namespace = await server.namespace();
    const first = await make(namespace, 'first');
    const second = await make(namespace, 'second', [refer(first)]);
    const third = await make(namespace, 'third', [refer(second)]);
    const other = await make(namespace, 'other');
    await remove(first, policy);
    assert.equal(await exists(first), false);
    await gone('the chain', second, third);
    assert.ok(await exists(other));
  });
}

test('a foreground deletion removes the owner after its dependents, level by level', async () => {
  const namespace = await server.namespace();
  const first = await make(namespace, 'first');
  const second = await make(namespace, 'second', [refer(first, blocking)]);
  const third = await make(namespace, 'third', [refer(second, blocking)]);
  const hold = { body: { metadata: { finalizers: ['example.com/hold'] } }, contentType: mergePatch };
  await server.expect(200, 'PATCH', third.path, hold);
  await remove(first, 'Foreground');
  await until('the last of the chain is deleted', async () =>
    Boolean(at(await server.expect(200, 'GET', third.path), 'metadata', 'deletionTimestamp')),
  );
  await settle(namespace);
  for (const object of [first, second]) {
    const { metadata } = await server.expect(200, 'GET', object.path);
    assert.deepEqual(at(metadata, 'finalizers'), ['foregroundDeletion'], object.name);
  }
  const free = { body: { metadata: { finalizers: null } }, contentType: mergePatch };
  await server.expect(200, 'PATCH', third.path, free);
  await gone('the chain', first, second, third);
});

test('a dependent that does not block its owner is deleted without a wait', async () => {
  const namespace = await server.namespace();
  const owner = await make(namespace, 'owner');
  const dependent = await make(namespace, 'dependent', [refer(owner)]);
  const hold = { body: { metadata: { finalizers: ['example.com/hold'] } }, contentType: mergePatch };
  await server.expect(200, 'PATCH', dependent.path, hold);
  await remove(owner, 'Foreground');
  await gone('the owner', owner);
  await until('the dependent is deleted', async () =>
    Boolean(at(await server.expect(200, 'GET', dependent.path), 'metadata', 'deletionTimestamp')),
  );
});

test('dependents of an owner deleted with Orphan lose their reference and are kept', async () => {
  const namespace = await server.namespace();
  const owner = await make(namespace, 'owner');
  const other = await make(namespace, 'other');
  const second = await make(namespace, 'second', [refer(owner), refer(other)]);
  const third = await make(namespace, 'third', [refer(second)]);
  await remove(owner, 'Orphan');
  await gone('the owner', owner);
  await until('the reference is gone', async () => {
    const left = objectsAt(await readOwners(second));
    return left.length === 1 && left[0]?.['uid'] === other.uid;
  });
  await settle(namespace);
  assert.ok((await exists(second)) && (await exists(third)));
  assert.equal(objectsAt(await readOwners(third)).length, 1);
});

test('an object with several owners is kept until the last one is deleted', async () => {
  const namespace = await server.namespace();
  const owners = [
    await make(namespace, 'a'),
    await make(namespace, 'b'),
    await make(namespace, 'c'),
  ] as const;
  const dependent = await make(
    namespace,
    'dependent',
    owners.map(owner => refer(owner, blocking)),
  );
  await remove(owners[0], 'Background');
  await until('the first reference is gone', async () => {
    return objectsAt(await readOwners(dependent)).length === 2;
  });
  await remove(owners[1], 'Foreground');
  await gone('the owner that would wait for a dependent that stays', owners[1]);
  const left = objectsAt(await readOwners(dependent));
  assert.deepEqual(
    left.map(({ uid }) => uid),
    [owners[2].uid],
  );
  await remove(owners[2]);
  await gone('the dependent', dependent);
});

test('objects that own each other can be deleted in the background and foreground', async () => {
  for (const policy of ['Background', 'Foreground']) {
    const namespace = await server.namespace();
    const a = await make(namespace, 'a');
    const b = await make(namespace, 'b', [refer(a, blocking)]);
    const c = await make(namespace, 'c', [refer(b, blocking)]);
    const closing = { metadata: { ownerReferences: [refer(c, blocking)] } };
    await server.expect(200, 'PATCH', a.path, { body: closing, contentType: mergePatch });
    await remove(a, policy);
    await gone(`the ring (${policy})`, a, b, c);
  }
});

test('an object that owns itself can be deleted', async () => {
  const namespace = await server.namespace();
  const a = await make(namespace, 'a');
  const own = { metadata: { ownerReferences: [refer(a, blocking)] } };
  await server.expect(200, 'PATCH', a.path, { body: own, contentType: mergePatch });
  await remove(a, 'Foreground');
  await gone('the object', a);
});

test('a dependent with an owner in another namespace is collected, with an event', async () => {
  const [here, there] = [await server.namespace(), await server.namespace()];
  const owner = await make(there, 'owner');
  await settle(there);
  const dependent = await make(here, 'dependent', [refer(owner)]);
  await gone('the dependent', dependent);
  assert.ok(await exists(owner));
  const query = '?fieldSelector=involvedObject.name%3Ddependent';
  const events = await server.expect(200, 'GET', `${here}/events${query}`);
  const found = objectsAt(events, 'items').map(event => [event['type'], event['reason']]);
  assert.deepEqual(found, [['Warning', 'OwnerRefInvalidNamespace']]);
});

test('a cluster-scoped object is not collected because of a namespaced owner', async () => {
  const namespace = await server.namespace();
  const owner = await make(namespace, 'owner');
  const classes = '/apis/scheduling.cluster.io/v1/priorityclasses';
  const body = { metadata: { name: 'owned', ownerReferences: [refer(owner)] }, value: 5 };
  await server.expect(201, 'POST', classes, { body });
  const query = '?fieldSelector=involvedObject.name%3Downed';
  await until('an event tells of it', async () => {
    const events = await server.expect(200, 'GET', `/api/v1/namespaces/default/events${query}`);
    return objectsAt(events, 'items').some(event => event['reason'] === 'OwnerRefInvalidNamespace');
  });
  await remove(owner);
  await settle(namespace);
  await server.expect(200, 'GET', `${classes}/owned`);
});

test('an owner of a kind that is not served does not count as deleted', async () => {
  const namespace = await server.namespace();
  const reference = { apiVersion: 'example.com/v1', kind: 'Beacon', name: 'x', uid: 'nobody-has-it' };
  const dependent = await make(namespace, 'dependent', [reference]);
  await settle(namespace);
  assert.ok(await exists(dependent));
});

test('an owner that never existed counts as deleted, also if another object has its name', async () => {
  const namespace = await server.namespace();
  const owner = await make(namespace, 'owner');
  const references = [{ ...refer(owner), uid: 'another-uid' }, refer({ ...owner, name: 'nobody' })];
  for (const [i, reference] of references.entries())
    await gone('the dependent', await make(namespace, `dependent-${i}`, [reference]));
  assert.ok(await exists(owner));
});

test('owners are found by group aliases and in each version', async () => {
  const namespace = await server.namespace();
  const scalers = `${namespace.replace('/api/v1', '/apis/autoscaling/v2')}/horizontalpodautoscalers`;
  const ingresses = `${namespace.replace('/api/v1', '/apis/networking.cluster.io/v1')}/ingresses`;
  const backend = { service: { name: 's', port: { number: 80 } } };
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
  const owners = [
    [scalers, 'HorizontalPodAutoscaler', 'autoscaling/v1', { scaleTargetRef, maxReplicas: 3 }],
    [ingresses, 'Ingress', 'networking.k8s.io/v1', { defaultBackend: backend }],
  ] as const;
  for (const [collection, kind, apiVersion, spec] of owners) {
    const made = await server.expect(201, 'POST', collection, { body: { metadata: { name: 'o' }, spec } });
    const uid = at(made, 'metadata', 'uid') ?? '';
    const dependent = await make(namespace, kind.toLowerCase(), [{ apiVersion, kind, name: 'o', uid }]);
    await settle(namespace);
    assert.ok(await exists(dependent), kind);
    await server.expect(200, 'DELETE', `${collection}/o?propagationPolicy=Foreground`);
    await gone('the dependent', dependent);
    await server.send('DELETE', `${namespace}/configmaps/settle-owner`);
  }
});

test('an owner reference that is added later counts', async () => {
  const namespace = await server.namespace();
  const dependent = await make(namespace, 'dependent');
  const reference = refer({ ...dependent, name: 'nobody', uid: 'never-given' });
  const body = { metadata: { ownerReferences: [reference] } };
  await server.expect(200, 'PATCH', dependent.path, { body, contentType: mergePatch });
  await gone('the dependent', dependent);
});
