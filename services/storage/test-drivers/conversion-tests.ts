import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Vocabulary, vocabularies } from '@binnacle/api-names';
import { deadlineIn } from '@binnacle/proto';
import {
  apiNamesKey,
  listPages,
  type Storage,
  StorageError,
  type StorageKey,
  storageKeyFrom,
  type Transaction,
} from '@binnacle/storage-contract';
import { encodeApiNames, readApiNames } from '../api-names/api-names-record.ts';
import { settleApiNames } from '../api-names/settle-api-names.ts';
import type { ConversionReport } from '../conversion/conversion-report.ts';
import { convertStore } from '../conversion/convert-store.ts';
import {
  type Content,
  conversionObjects,
  convertedObjects,
  namesInColumn,
  storedForm,
} from './conversion-objects.ts';

type Opened = Storage & AsyncDisposable;

const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(60_000) });
const columnFromVocabulary = (vocabulary: Vocabulary): 0 | 1 => (vocabulary === 'cluster' ? 0 : 1);
const otherThan = (vocabulary: Vocabulary): Vocabulary =>
  vocabulary === 'cluster' ? 'kubernetes' : 'cluster';

async function put(storage: Storage, key: string, value: Uint8Array): Promise<void> {
  const puts = [{ key: storageKeyFrom(key), value }];
  const { committed } = await storage.transact({ preconditions: [], puts, deletes: [] }, call());
  assert.ok(committed);
}

async function fill(storage: Storage, apiNames: Vocabulary, content: Content): Promise<void> {
  await put(storage, apiNamesKey, encodeApiNames({ apiNames }));
  for (const [key, json] of content) await put(storage, key, storedForm(json));
}

/** All that is stored below a prefix. */
async function read(storage: Storage, prefix: string): Promise<Map<StorageKey, Buffer>> {
  const found = new Map<StorageKey, Buffer>();
  for await (const { records } of listPages(storage, { prefix: storageKeyFrom(prefix) }, { nextCall: call }))
    for (const { key, value } of records) found.set(key, Buffer.from(value));
  return found;
}

/** The objects of a store as JSON; each has a whole header. */
async function readContent(storage: Storage): Promise<Map<StorageKey, string>> {
  const objects = [...(await read(storage, '/'))].map(([key, value]) => {
    const json = value.toString('utf8', 5);
    assert.deepEqual(value, storedForm(json), key);
    return [key, json] as const;
  });
  return new Map(objects);
}

const sorted = (content: Content) => [...content].toSorted(([a], [b]) => (a < b ? -1 : 1));

function convert(storage: Storage, to: Vocabulary): Promise<ConversionReport> {
  return convertStore({ storage, to, signal: new AbortController().signal });
}

/** A store that fails from its n-th transaction on, before or after it is committed, as one does whose process is killed. */
function killed(storage: Storage, transactions: number, isCommitted: boolean): Storage {
  let left = transactions;
  return {
    ...storage,
    async transact(transaction: Transaction, within) {
      if (--left === 0 && isCommitted) await storage.transact(transaction, within);
      if (left <= 0) throw new StorageError('unavailable', 'killed');
      return await storage.transact(transaction, within);
    },
  };
}

/**
 * Registers the tests of conversions on a backend; each store that is created is empty. A conversion is cut short at every transaction,
 * or at one in `pointsApart`.
 */
export function registerConversionTests(
  backend: string,
  create: () => Promise<Opened>,
  { pointsApart = 1 } = {},
): void {
  suite(`conversion of a store in ${backend}`, () => {
    for (const from of vocabularies) registerDirectionTests(from, create, pointsApart);
    registerKeptTests(create, pointsApart);

    test('a store that has the names already, and an empty store, are not changed', async () => {
      await using storage = await create();
      await convert(storage, 'kubernetes');
      assert.deepEqual((await readApiNames(storage, call())).record, { apiNames: 'kubernetes' });
      await fill(storage, 'kubernetes', conversionObjects(1));
      const { objects } = await convert(storage, 'kubernetes');
      assert.equal(objects, 0);
      assert.deepEqual(sorted(await readContent(storage)), sorted(conversionObjects(1)));
    });

    test('a store with an encrypted value is refused by its key, and stays as it is', async () => {
      await using storage = await create();
      await fill(storage, 'cluster', conversionObjects(0));
      const key = '/core/secrets/default/encrypted';
      await put(storage, key, Buffer.from('k8s:enc:aesgcm:v1:a:0123456789'));
      const before = await read(storage, '/');
      await assert.rejects(convert(storage, 'kubernetes'), new RegExp(`the value of ${key} is encrypted`));
      assert.deepEqual(await read(storage, '/'), before);
      assert.deepEqual((await readApiNames(storage, call())).record, { apiNames: 'cluster' });
    });

    test('an unfinished conversion cannot be reversed', async () => {
      await using storage = await create();
      await fill(storage, 'cluster', conversionObjects(0));
      await assert.rejects(convert(killed(storage, 3, false), 'kubernetes'));
      await assert.rejects(convert(storage, 'cluster'), /finish it with --to=kubernetes first/);
      for (const each of vocabularies)
        await assert.rejects(settleApiNames(storage, call(), each), /is not finished/);
    });
  });
}

function registerDirectionTests(from: Vocabulary, create: () => Promise<Opened>, pointsApart: number): void {
  const to = otherThan(from);
  const [before, after] = [
    conversionObjects(columnFromVocabulary(from)),
    convertedObjects(columnFromVocabulary(from)),
  ];
  const names = namesInColumn(columnFromVocabulary(from));
  const reservation = `/_claims/services/cluster-ip/10.96.0.1`;
  const holder = `/core/services/default/${names.service}`;

  test(`every name of ${from} is converted to ${to}, and back to the same bytes`, async () => {
    await using storage = await create();
    await fill(storage, from, before);
    await put(storage, reservation, Buffer.from(holder));
    const report = await convert(storage, to);
    assert.deepEqual(sorted(await readContent(storage)), sorted(after));
    assert.deepEqual((await readApiNames(storage, call())).record, { apiNames: to });
    const held = (await storage.get(storageKeyFrom(reservation), call())).record?.value;
    const service = namesInColumn(columnFromVocabulary(to)).service;
    assert.equal(Buffer.from(held ?? []).toString(), `/core/services/default/${service}`);
    assert.deepEqual(report.ambiguousPlaces, [
      '/core/configmaps/default/script /data/run',
      '/core/secrets/default/token /data/token',
    ]);
    assert.match(report.text(), /Names by kind: .*group \d+/);

    await convert(storage, from);
    assert.deepEqual(sorted(await readContent(storage)), sorted(before));
    const returned = (await storage.get(storageKeyFrom(reservation), call())).record?.value;
    assert.equal(Buffer.from(returned ?? []).toString(), holder);
    assert.deepEqual([...(await read(storage, `${apiNamesKey}/`)).keys()], []);
  });

  test(`objects without names of ${from} are not written`, async () => {
    await using storage = await create();
    await fill(storage, from, before);
    const key = storageKeyFrom('/core/configmaps/default/plain');
    const { record } = await storage.get(key, call());
    await convert(storage, to);
    assert.deepEqual((await storage.get(key, call())).record, record);
  });

  test(`a conversion from ${from} continues after an interruption at any point`, async () => {
    for (let transactions = 1, isDone = false; !isDone; transactions += pointsApart)
      for (const isCommitted of [false, true]) {
        await using storage = await create();
        await fill(storage, from, before);
        await put(storage, reservation, Buffer.from(holder));
        isDone = await convert(killed(storage, transactions, isCommitted), to).then(
          () => true,
          () => false,
        );
        await convert(storage, to);
        assert.deepEqual(sorted(await readContent(storage)), sorted(after), `${transactions}`);
        await convert(killed(storage, transactions, isCommitted), from).catch(() => {});
        await convert(storage, from);
        assert.deepEqual(sorted(await readContent(storage)), sorted(before), `${transactions}`);
      }
  });
}

/** Names of the other vocabulary that were there before. */
function registerKeptTests(create: () => Promise<Opened>, pointsApart: number): void {
  const [own, other] = [namesInColumn(0), namesInColumn(1)];
  const mixed: Content = new Map([
    [
      storageKeyFrom('/core/configmaps/default/mixed'),
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"mixed","labels":{"${own.hostname}":"a","${other.hostname}":"b"},"annotations":{"${other.lastApplied}":"{\\"a\\":\\"${other.system}\\"}"}},"data":{"a":"${other.system}"}}`,
    ],
    [
      storageKeyFrom(`/core/configmaps/${other.system}/theirs`),
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"theirs","namespace":"${other.system}"}}`,
    ],
    [
      storageKeyFrom(`/core/configmaps/${own.system}/ours`),
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"ours","namespace":"${own.system}"}}`,
    ],
    ...[own, other].map(
      ({ system }) =>
        [
          storageKeyFrom(`/core/namespaces//${system}`),
          `{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"${system}"},"spec":{}}`,
        ] as const,
    ),
  ]);

  test('names of the other vocabulary are kept and recognized on the way back', async () => {
    await using storage = await create();
    await fill(storage, 'cluster', mixed);
    const report = await convert(storage, 'kubernetes');
    const keys = [...(await readContent(storage)).keys()].toSorted();
    assert.deepEqual(keys, [
      '/core/configmaps/default/mixed',
      `/core/configmaps/${other.system}/ours`,
      `/core/configmaps/${other.system}/theirs`,
      `/core/namespaces//${other.system}`,
    ]);
    assert.deepEqual(report.keysAside, [`/core/namespaces//${own.system}`]);
    assert.ok(
      report.keptPlaces.includes(`/core/configmaps/${other.system}/theirs @namespace: ${other.system}`),
      report.text(),
    );
    assert.match(report.text(), /Set aside .* \(1\):\n {2}\/core\/namespaces/);
    await convert(storage, 'cluster');
    assert.deepEqual(sorted(await readContent(storage)), sorted(mixed));
    assert.deepEqual([...(await read(storage, `${apiNamesKey}/`)).keys()], []);
  });

  test('a reference under both names is written once, and twice again on the way back', async () => {
    await using storage = await create();
    const subject = ({ rbac, scheduler }: typeof own) =>
      `{"kind":"User","apiGroup":"${rbac}","name":"${scheduler}"}`;
    const binding = (subjects: string, kept: string) =>
      `{"kind":"ClusterRoleBinding","apiVersion":"${kept}/v1","metadata":{"name":"both"},"roleRef":{"apiGroup":"${kept}","kind":"ClusterRole","name":"r"},"subjects":[${subjects}]}`;
    const labels = (text: string) =>
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"both","labels":{${text}}}}`;
    const others = '{"kind":"User","name":"a"}';
    const key = (group: string) => storageKeyFrom(`/${group}/clusterrolebindings//both`);
    const both: Content = new Map([
      [key(own.rbac), binding([subject(other), subject(own), others].join(), own.rbac)],
      [
        storageKeyFrom('/core/configmaps/default/both'),
        labels(`"${own.hostname}":"a","${other.hostname}":"b"`),
      ],
    ]);
    await fill(storage, 'cluster', both);
    const report = await convert(storage, 'kubernetes');
    assert.deepEqual(sorted(await readContent(storage)), [
      ['/core/configmaps/default/both', labels(`"${other.hostname}":"b"`)],
      [key(other.rbac), binding([subject(other), others].join(), other.rbac)],
    ]);
    assert.deepEqual(report.placesLeftOut.toSorted(), [
      `/core/configmaps/default/both /metadata/labels/${other.hostname}`,
      `${key(other.rbac)} /subjects/1`,
    ]);
    assert.match(report.text(), /Left out .* \(2\):\n {2}\/core\/configmaps\/default\/both/);
    await convert(storage, 'cluster');
    assert.deepEqual(sorted(await readContent(storage)), sorted(both));
    assert.deepEqual([...(await read(storage, `${apiNamesKey}/`)).keys()], []);
  });

  test('a kept original is found behind a removed entry, in an object that was changed since', async () => {
    await using storage = await create();
    const key = storageKeyFrom(`/core/secrets/default/s`);
    const secret = (finalizers: readonly string[], more = '') =>
      `{"kind":"Secret","apiVersion":"v1","metadata":{"name":"s","finalizers":${JSON.stringify(finalizers)}}${more}}`;
    const finalizers = [own.claimFinalizer, other.claimFinalizer, other.hostname];
    await fill(storage, 'cluster', new Map([[key, secret(finalizers)]]));
    await convert(storage, 'kubernetes');
    assert.equal((await readContent(storage)).get(key), secret([other.claimFinalizer, other.hostname]));
    await put(storage, key, storedForm(secret([other.claimFinalizer, other.hostname], ',"type":"x"')));
    await convert(storage, 'cluster');
    assert.equal(
      (await readContent(storage)).get(key),
      secret([own.claimFinalizer, other.hostname], ',"type":"x"'),
    );
  });

  test('bytes that cannot be restored from their names are kept as a whole', async () => {
    await using storage = await create();
    const key = '/core/configmaps/default/odd';
    // A server writes no such escapes, and no such tag by itself.
    const json = `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"odd"},"data":{"a":"${own.system.replace('-', '\\u002d')}"}}`;
    await put(storage, apiNamesKey, encodeApiNames({ apiNames: 'cluster' }));
    const value = storedForm(json, Buffer.alloc(8, 7));
    await put(storage, key, value);
    await put(storage, '/core/configmaps/default/no-object', Buffer.from([0xff, 0x00]));
    await convert(storage, 'kubernetes');
    const there = (await storage.get(storageKeyFrom(key), call())).record?.value ?? [];
    assert.match(Buffer.from(there).toString(), new RegExp(other.system));
    await convert(storage, 'cluster');
    const all = await read(storage, '/');
    assert.deepEqual(all.get(storageKeyFrom(key)), value);
    assert.deepEqual(
      all.get(storageKeyFrom('/core/configmaps/default/no-object')),
      Buffer.from([0xff, 0x00]),
    );
  });

  test('objects that were set aside are restored after an interrupted conversion', async () => {
    for (let transactions = 1, isDone = false; !isDone; transactions += pointsApart) {
      await using storage = await create();
      await fill(storage, 'cluster', mixed);
      isDone = await convert(killed(storage, transactions, true), 'kubernetes').then(
        () => true,
        () => false,
      );
      await convert(storage, 'kubernetes');
      await convert(killed(storage, transactions, true), 'cluster').catch(() => {});
      await convert(storage, 'cluster');
      assert.deepEqual(sorted(await readContent(storage)), sorted(mixed), `${transactions}`);
    }
  });
}
