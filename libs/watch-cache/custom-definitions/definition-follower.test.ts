import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLiveTypeRegistry, createTypeRegistry } from '@binnacle/api-types';
import { noDeadline } from '@binnacle/proto';
import { type TypeCache, TypeNotHeld } from '../contract/contract.ts';
import { configMaps, pods, settle, startCache, watchInto } from '../test-drivers/cache-under-test.ts';
import { createDefinitionFollower } from './definition-follower.ts';

const builtIn = createTypeRegistry();
const definitions = builtIn.resource('apiextensions.cluster.io', 'v1', 'customresourcedefinitions');
assert.ok(definitions);
const crd = definitions;

interface Facts {
  readonly established?: boolean;
  readonly properties?: object;
  readonly conversion?: object;
  readonly extra?: object;
}

function definition(plural: string, kind: string, facts: Facts = {}) {
  const { established = true, properties = {}, conversion, extra = {} } = facts;
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
  const openAPIV3Schema = { type: 'object', properties };
  return {
    spec: {
      group: 'ex.com',
      scope: 'Namespaced',
      names,
      ...(conversion && { conversion }),
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
    status: {
      acceptedNames: names,
      conditions: [{ type: 'Established', status: established ? 'True' : 'False' }],
      ...extra,
    },
  };
}

interface FollowOptions {
  readonly holdsObjects?: boolean;
  readonly maxDefinitions?: number;
  readonly catchUp?: (replica: TypeCache) => Promise<void>;
}

async function follow(options: FollowOptions = {}) {
  const errors: string[] = [];
  const t = await startCache({
    definitions: [crd, configMaps, pods],
    before: log => log.put(crd, '/others.ex.com', definition('others', 'Other')),
  });
  const registry = createLiveTypeRegistry(builtIn);
  const follower = createDefinitionFollower({
    registry,
    watchCache: t.cache,
    holdsObjects: true,
    log: { info() {}, warn() {}, error: (_message, fields) => void errors.push(JSON.stringify(fields)) },
    ...options,
  });
  await follower.start();
  const write = async (name: string, content: ReturnType<typeof definition> | undefined) => {
    if (content === undefined) t.log.delete(crd, `/${name}.ex.com`);
    else t.log.put(crd, `/${name}.ex.com`, content);
    t.log.deliver();
    await follower.settled({ signal: AbortSignal.timeout(10_000), deadline: noDeadline });
  };
  return {
    t,
    errors,
    write,
    served: (plural: string) => registry.resource('ex.com', 'v1', plural),
    async [Symbol.asyncDispose]() {
      follower[Symbol.dispose]();
      await t[Symbol.asyncDispose]();
    },
  };
}

test('existing definitions are served before the follower is ready', async () => {
  await using f = await follow();
  const type = f.served('others');
  assert.equal(type?.kind, 'Other');
  assert.equal(f.t.cache.type(type).list({}).objects.length, 0);
});

test('a type is added with its objects when its definition is established', async () => {
  await using f = await follow();
  await f.write('things', definition('things', 'Thing', { established: false }));
  assert.equal(f.served('things'), undefined);
  const { promise, resolve } = Promise.withResolvers<void>();
  f.t.log.listBarrier = promise;
  const written = f.write('things', definition('things', 'Thing'));
  await settle();
  assert.equal(f.served('things'), undefined, 'it is not served before it is listed');
  resolve();
  await written;
  assert.ok(f.served('things'));
});

test('a change of the served versions or schemas replaces the types and ends watches, other changes do not', async () => {
  await using f = await follow();
  const before = f.served('others');
  assert.ok(before);
  const { sink } = watchInto(f.t.cache.type(before), { start: { after: f.t.log.revision } });
  await f.write('others', definition('others', 'Other', { extra: { storedVersions: ['v1'] } }));
  assert.equal(f.served('others'), before);
  assert.deepEqual(sink.ends, []);
  await f.write('others', definition('others', 'Other', { properties: { a: { type: 'string' } } }));
  const after = f.served('others');
  assert.ok(after && after !== before);
  assert.deepEqual(sink.ends, ['closed']);
  assert.equal(f.t.cache.type(after), f.t.cache.type(before), 'its objects stay');
});

test('the start of the deletion of a definition ends no watches', async () => {
  await using f = await follow();
  const before = f.served('others');
  assert.ok(before);
  const { sink } = watchInto(f.t.cache.type(before), { start: { after: f.t.log.revision } });
  const terminating = { type: 'Terminating', status: 'True' };
  const conditions = [{ type: 'Established', status: 'True' }, terminating];
  await f.write('others', definition('others', 'Other', { extra: { conditions } }));
  assert.ok(before.verbs.includes('create'));
  assert.equal(f.served('others')?.verbs.includes('create'), false);
  assert.deepEqual(sink.ends, []);
});

test('the watches of a removed type get its last changes before they end', async () => {
  const caughtUp = Promise.withResolvers<void>();
  await using f = await follow({ catchUp: () => caughtUp.promise });
  const type = f.served('others');
  assert.ok(type);
  f.t.log.put(type, 'n/a', {});
  f.t.log.deliver();
  const { sink } = watchInto(f.t.cache.type(type), { start: { after: f.t.log.revision } });
  const written = f.write('others', undefined);
  await settle();
  assert.equal(f.served('others'), undefined, 'requests do not find it any more');
  f.t.log.delete(type, 'n/a');
  f.t.log.deliver();
  caughtUp.resolve();
  await written;
  assert.deepEqual(
    [sink.events.map(event => event.split('@', 1)[0]), sink.ends],
    [['DELETED n/a'], ['stopping']],
  );
  assert.throws(() => f.t.cache.type(type), TypeNotHeld);
});

test('the watches of a removed type end if its last changes do not arrive', async () => {
  await using f = await follow({ catchUp: () => Promise.reject(new Error('the feed is down')) });
  const type = f.served('others');
  assert.ok(type);
  const { sink } = watchInto(f.t.cache.type(type), { start: { after: f.t.log.revision } });
  await f.write('others', undefined);
  assert.deepEqual(sink.ends, ['stopping']);
  assert.deepEqual(f.errors, []);
});

test('a type that is added again during its removal keeps its replica, and ends the earlier watches', async () => {
  const caughtUp = Promise.withResolvers<void>();
  await using f = await follow({ catchUp: () => caughtUp.promise });
  const type = f.served('others');
  assert.ok(type);
  const { sink } = watchInto(f.t.cache.type(type), { start: { after: f.t.log.revision } });
  f.t.log.delete(crd, '/others.ex.com');
  f.t.log.deliver();
  const written = f.write('others', definition('others', 'Again'));
  await settle();
  caughtUp.resolve();
  await written;
  assert.deepEqual(sink.ends, ['closed']);
  const repeated = f.served('others');
  assert.equal(repeated?.kind, 'Again');
  assert.ok(f.t.cache.type(repeated));
});

test('a type is removed with its definition', async () => {
  await using f = await follow();
  const type = f.served('others');
  assert.ok(type);
  const { sink } = watchInto(f.t.cache.type(type), { start: { after: f.t.log.revision } });
  await f.write('others', undefined);
  assert.equal(f.served('others'), undefined);
  assert.deepEqual(sink.ends, ['stopping']);
  assert.throws(() => f.t.cache.type(type), TypeNotHeld);
});

test('a type that is added, removed and added again while it is listed has its last state', async () => {
  await using f = await follow();
  const { promise, resolve } = Promise.withResolvers<void>();
  f.t.log.listBarrier = promise;
  for (const content of [definition('things', 'First'), undefined, definition('things', 'Second')]) {
    if (content === undefined) f.t.log.delete(crd, '/things.ex.com');
    else f.t.log.put(crd, '/things.ex.com', content);
    f.t.log.deliver();
  }
  resolve();
  await f.write('unrelated', definition('unrelated', 'Unrelated', { established: false }));
  assert.equal(f.served('things')?.kind, 'Second');
});

test('a definition that cannot be served is reported', async () => {
  await using f = await follow();
  await f.write('others', definition('others', 'Other', { conversion: { strategy: 'Magic' } }));
  assert.equal(f.served('others'), undefined);
  assert.match(f.errors.join(), /conversion strategy Magic/);
});

test('the number of served definitions is limited', async () => {
  await using f = await follow({ maxDefinitions: 1 });
  await f.write('things', definition('things', 'Thing'));
  assert.equal(f.served('things'), undefined);
  assert.match(f.errors.join(), /"most":1/);
  assert.ok(f.served('others'));
});

test('a follower of types only holds no objects', async () => {
  await using f = await follow({ holdsObjects: false });
  const type = f.served('others');
  assert.ok(type);
  assert.throws(() => f.t.cache.type(type), TypeNotHeld);
});
