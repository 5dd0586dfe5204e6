import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAdmission } from '@binnacle/admission';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { encodeStored } from '@binnacle/codecs';
import { createGateway } from '@binnacle/gateway';
import { deadlineIn } from '@binnacle/proto';
import { createStorageService } from '@binnacle/storage';
import { type Storage, StorageError, storageKeyFrom, type Transaction } from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { createTokenReview } from '@binnacle/token-review';
import { type ChangeFeed, createDirectFeed } from '@binnacle/watch-cache';
import type { FeedMessage } from '@binnacle/watch-cache/testing';
import { createWebhookDispatch } from '@binnacle/webhook-dispatch';
import { until } from './api-server.ts';
import { objectAt, objectsAt } from './setup/json-parts.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const stack = new AsyncDisposableStack();
/** The failure of the next transaction, after it was committed or instead of it. */
let nextTransaction: { readonly error: StorageError['kind']; readonly commits: boolean } | undefined;
let transactions: Transaction[] = [];
/** How many creations find that another write has just created an object of the same name. */
let tooLate = 0;
let store: Storage;
let admissionFeed: StallingFeed;
let gatewayFeed: StallingFeed;
let url: string;

interface StallingFeed extends ChangeFeed {
  /** Holds back everything from now on. */
  stall(): void;
  /** Lets what was held back go. */
  resume(): void;
}

before(async () => {
  const { path } = stack.use(await createTemporaryDirectory());
  const [log, metrics] = [silentLogger, createMetrics({ process: false })];
  const service = stack.use(
    await createStorageService({ backend: { kind: 'embedded', directory: path }, log, metrics }),
  );
  store = service.storage;
  const storage = failingStorage(store);
  admissionFeed = stallingFeed(createDirectFeed({ storage }));
  gatewayFeed = stallingFeed(createDirectFeed({ storage }));
  const dispatch = stack.use(createWebhookDispatch({ allowLoopbackWebhooks: true }));
  const admission = stack.use(
    createAdmission({ storage, objects: { feed: admissionFeed }, webhookDispatch: dispatch.service }),
  );
  const tokenReview = stack.use(
    createTokenReview({
      audiences: [],
      secret: () => Buffer.alloc(32),
      tokenSuccessCacheTtl: 1000,
      tokenFailureCacheTtl: 1000,
      log,
      metrics,
      clock: Date.now,
    }),
  );
  const gateway = stack.use(
    await createGateway({
      securePort: 0,
      tls: false,
      authorizationMode: ['AlwaysAllow'],
      anonymousAuth: true,
      storage,
      admission: admission.admission,
      tokenReview,
      changeFeed: gatewayFeed,
    }),
  );
  await Promise.all([gateway.ready(), admission.ready()]);
  url = `http://127.0.0.1:${gateway.port}`;
});
after(() => stack.disposeAsync());

/** A store whose transactions fail as a test says. */
function failingStorage(storage: Storage): Storage {
  return {
    get: (key, call) => storage.get(key, call),
    list: (query, call) => storage.list(query, call),
    typeRevision: (prefix, call) => storage.typeRevision(prefix, call),
    changes: (start, call) => storage.changes(start, call),
    compact: (revision, call) => storage.compact(revision, call),
    async transact(transaction, call) {
      const { preconditions, puts } = transaction;
      // The gateway's own objects, which it may write at any time, are left alone.
      if (!preconditions.some(({ key }) => key.startsWith('/core/configmaps/default/')))
        return storage.transact(transaction, call);
      transactions.push(transaction);
      if (tooLate > 0 && preconditions[0]?.revision === 0) {
        tooLate--;
        await storage.transact({ preconditions, puts, deletes: [] }, call);
      }
      const fault = nextTransaction;
      nextTransaction = undefined;
      const outcome =
        fault === undefined || fault.commits ? await storage.transact(transaction, call) : undefined;
      if (fault !== undefined || outcome === undefined)
        throw new StorageError(fault?.error ?? 'unavailable', 'on purpose');
      return outcome;
    },
  };
}

function stallingFeed(feed: ChangeFeed): StallingFeed {
  let held: FeedMessage[] | undefined;
  let deliver: (message: FeedMessage) => void = () => {};
  return {
    get partitions() {
      return feed.partitions;
    },
    partitionOf: prefix => feed.partitionOf(prefix),
    open(onMessage, signal, typePrefixes) {
      deliver = onMessage;
      const hold = (message: FeedMessage) => (held === undefined ? onMessage(message) : held.push(message));
      return feed.open(hold, signal, typePrefixes);
    },
    readHistory: (receiverOf, signal) => feed.readHistory(receiverOf, signal),
    stall() {
      held ??= [];
    },
    resume() {
      const messages = held ?? [];
      held = undefined;
      for (const message of messages) deliver(message);
    },
  };
}

interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

async function send(
  method: string,
  path: string,
  body?: JsonObject,
  contentType = 'application/json',
): Promise<Answer> {
  const headers = { 'content-type': contentType };
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { code: response.status, body: (await response.json()) as JsonObject }; // The API answers with objects.
}

async function expect(code: number, ...request: Parameters<typeof send>): Promise<JsonObject> {
  const answer = await send(...request);
  assert.equal(answer.code, code, JSON.stringify(answer.body));
  return answer.body;
}

const maps = '/api/v1/namespaces/default/configmaps';
const mergePatch = 'application/merge-patch+json';
const named = (name: string, more: JsonObject = {}): JsonObject => ({ metadata: { name }, ...more });

const readVersion = (object: JsonObject) => objectAt(object, 'metadata')['resourceVersion'] as string;

const readName = (object: JsonObject) => String(objectAt(object, 'metadata')['name']);

test('a write with an unknown outcome is reported as such and not sent again', async () => {
  for (const commits of [true, false]) {
    const name = `unknown-${commits}`;
    nextTransaction = { error: 'unknown-outcome', commits };
    transactions = [];
    const status = await expect(504, 'POST', maps, named(name));
    assert.match(String(status['message']), /outcome of the write is unknown/);
    assert.equal(transactions.length, 1);
    await expect(commits ? 200 : 404, 'GET', `${maps}/${name}`);
  }
});

test('a patch from the cache with an unknown outcome is not retried from the store', async () => {
  await expect(201, 'POST', maps, named('patched'));
  nextTransaction = { error: 'unknown-outcome', commits: false };
  transactions = [];
  await expect(504, 'PATCH', `${maps}/patched`, { data: { a: '1' } }, mergePatch);
  assert.equal(transactions.length, 1);
});

test('a generated name that another write takes first is replaced, up to a limit', async () => {
  const generated = { metadata: { generateName: 'gn-' } };
  const names = async () => objectsAt(await expect(200, 'GET', maps), 'items').map(readName);
  tooLate = 3;
  const created = readName(await expect(201, 'POST', maps, generated));
  const taken = (await names()).filter(name => name.startsWith('gn-') && name !== created);
  assert.equal(new Set(taken).size, 3);
  tooLate = Number.POSITIVE_INFINITY;
  assert.equal((await expect(409, 'POST', maps, generated))['reason'], 'AlreadyExists');
  tooLate = 1;
  await expect(409, 'POST', maps, named('own'));
  assert.equal(tooLate, 0);
});

test('an unreachable store changes nothing', async () => {
  nextTransaction = { error: 'unavailable', commits: false };
  assert.equal((await expect(503, 'POST', maps, named('away')))['reason'], 'ServiceUnavailable');
  await expect(201, 'POST', maps, named('away'));
});

test('updates are correct while the cache lags', async () => {
  const path = `${maps}/updated`;
  const data = async () => (await expect(200, 'GET', path))['data'];
  const update = (value: string, resourceVersion?: string): Promise<Answer> =>
    send('PUT', path, {
      metadata: { name: 'updated', ...(resourceVersion && { resourceVersion }) },
      data: { value },
    });
  const created = await expect(201, 'POST', maps, named('updated', { data: { value: '0' } }));
  assert.deepEqual(await data(), { value: '0' });
  gatewayFeed.stall();
  try {
    const first = await update('1');
    assert.deepEqual([first.code, (await update('2')).code], [200, 200]);
    const same = await update('2');
    assert.deepEqual([same.code, same.body['data'], await data()], [200, { value: '2' }, { value: '2' }]);
    assert.equal(
      (await update('0')).code,
      200,
      'what the cache has is written when it is not what is stored',
    );
    assert.deepEqual(await data(), { value: '0' });
    for (const stale of [created, first.body])
      assert.equal((await update('3', readVersion(stale))).code, 409);
    const latest = await expect(200, 'GET', path);
    transactions = [];
    assert.equal((await update('4', readVersion(latest))).code, 200);
    assert.equal(transactions.length, 1, 'a version that the cache does not have is read from the store');
    await expect(200, 'DELETE', path);
    assert.equal((await update('5')).code, 404);
  } finally {
    gatewayFeed.resume();
  }
});

test('patches are correct while the cache lags', async () => {
  const data = async () => (await expect(200, 'GET', `${maps}/still`))['data'];
  await expect(201, 'POST', maps, named('still', { data: { a: '1' } }));
  gatewayFeed.stall();
  try {
    await expect(200, 'PUT', `${maps}/still`, named('still', { data: { b: '2' } }));
    const patched = await expect(200, 'PATCH', `${maps}/still`, { data: { c: '3' } }, mergePatch);
    assert.deepEqual(patched['data'], { b: '2', c: '3' });
    const same = await expect(200, 'PATCH', `${maps}/still`, { data: { a: null } }, mergePatch);
    assert.deepEqual([same['data'], await data()], [patched['data'], patched['data']]);
    await expect(200, 'DELETE', `${maps}/still`);
    await expect(404, 'PATCH', `${maps}/still`, { data: {} }, mergePatch);
  } finally {
    gatewayFeed.resume();
  }
});

test('deletions are correct while the cache lags', async () => {
  const path = `${maps}/gone`;
  const readUid = (object: JsonObject) => String(objectAt(object, 'metadata')['uid']);
  const held = { metadata: { finalizers: ['example.com/hold'] } };
  const released = { metadata: { finalizers: null } };
  const remove = (uid: string) => send('DELETE', path, { preconditions: { uid } });
  const first = await expect(201, 'POST', maps, named('gone'));
  await untilCached(path, first);
  gatewayFeed.stall();
  try {
    await expect(200, 'PATCH', path, held, mergePatch);
    const marked = await expect(200, 'DELETE', path);
    assert.ok(
      objectAt(marked, 'metadata')['deletionTimestamp'],
      'a finalizer that the cache does not have holds the object',
    );
    const repeated = await expect(200, 'DELETE', path);
    assert.equal(readVersion(repeated), readVersion(marked), 'a second deletion changes nothing');
    await expect(200, 'PATCH', path, released, mergePatch);
    await expect(404, 'DELETE', path);
    const second = await expect(201, 'POST', maps, named('gone'));
    assert.equal((await remove(readUid(first))).code, 409, 'the cache still has the first one');
    transactions = [];
    assert.equal((await remove(readUid(second))).code, 200);
    assert.equal(transactions.length, 1, 'a uid that the cache does not have is looked for in the store');
    await expect(404, 'DELETE', path);
    const unseen = await expect(201, 'POST', maps, named('unseen'));
    const deleted = await expect(200, 'DELETE', `${maps}/unseen`);
    assert.equal(objectAt(deleted, 'details')['uid'], readUid(unseen));
  } finally {
    gatewayFeed.resume();
  }
});

/** Resolves when the gateway's cache has an object as it was answered: reads of version 0 are answered from it. */
async function untilCached(path: string, object: JsonObject): Promise<void> {
  await until('the cache has the object', async () => {
    const { body } = await send('GET', `${path}?resourceVersion=0`);
    return body['kind'] !== 'Status' && readVersion(body) === readVersion(object);
  });
}

test('creations are correct while the caches of admission lag', async () => {
  await expect(201, 'POST', '/api/v1/namespaces', named('old'));
  await expect(201, 'POST', '/api/v1/namespaces/old/configmaps', named('before'));
  admissionFeed.stall();
  try {
    const label = { metadata: { labels: { a: 'b' } } };
    await expect(200, 'PATCH', '/api/v1/namespaces/old', label, mergePatch);
    await expect(201, 'POST', '/api/v1/namespaces/old/configmaps', named('after'));
    await expect(201, 'POST', '/api/v1/namespaces/old/configmaps?dryRun=All', named('dry'));
    await expect(201, 'POST', '/api/v1/namespaces', named('new'));
    await expect(201, 'POST', '/api/v1/namespaces/new/configmaps', named('first'));
    await expect(200, 'DELETE', '/api/v1/namespaces/old');
    await expect(403, 'POST', '/api/v1/namespaces/old/configmaps', named('late'));
    await expect(200, 'PUT', '/api/v1/namespaces/old/finalize', named('old', { spec: {} }));
    await expect(404, 'POST', '/api/v1/namespaces/old/configmaps', named('later'));
    await expect(201, 'POST', '/api/v1/namespaces', named('old'));
    await expect(201, 'POST', '/api/v1/namespaces/old/configmaps', named('again'));
  } finally {
    admissionFeed.resume();
  }
});

const timeoutMs = 20_000;

/** A webhook as only releases before this one let in: it has side effects and does not say that it spares dry runs. */
const oldWebhook: ApiObject = {
  kind: 'ValidatingWebhookConfiguration',
  apiVersion: 'admissionregistration.cluster.io/v1',
  metadata: { name: 'old', uid: 'u-old', creationTimestamp: '2020-01-01T00:00:00Z', generation: 1 },
  webhooks: [
    {
      name: 'hook.example.com',
      ...{ sideEffects: 'Some', failurePolicy: 'Ignore', matchPolicy: 'Equivalent', timeoutSeconds: 1 },
      ...{ admissionReviewVersions: ['v1'], clientConfig: { url: 'https://127.0.0.1:1/' } },
      rules: [
        { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], scope: '*' },
      ],
      ...{ namespaceSelector: {}, objectSelector: { matchLabels: { asked: 'yes' } } },
    },
  ],
};

test('a dry run with a matching webhook that has side effects is refused', async () => {
  const configurations = 'admissionregistration.cluster.io/validatingwebhookconfigurations';
  const put = { key: storageKeyFrom(`/${configurations}//old`), value: encodeStored(oldWebhook) };
  const call = { signal: AbortSignal.timeout(timeoutMs), deadline: deadlineIn(timeoutMs) };
  await store.transact({ preconditions: [], puts: [put], deletes: [] }, call);
  const asked = (name: string) => ({ metadata: { name, labels: { asked: 'yes' } } });
  const dryRun = () => send('POST', `${maps}?dryRun=All`, asked('dry'));
  await until('admission knows the webhook', async () => (await dryRun()).code !== 201);
  const refused = await dryRun();
  assert.deepEqual([refused.code, refused.body['reason']], [400, 'BadRequest']);
  await expect(201, 'POST', `${maps}?dryRun=All`, named('dry'));
  await expect(201, 'POST', maps, asked('wet'));
  await expect(400, 'DELETE', `${maps}/wet?dryRun=All`);
  await expect(
    200,
    'DELETE',
    `/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations/old`,
  );
});
