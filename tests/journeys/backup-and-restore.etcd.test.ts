import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { type EtcdServer, startEtcd } from '@binnacle/backends';
import { decodeStored } from '@binnacle/codecs';
import { deadlineIn } from '@binnacle/proto';
import { createStorageService } from '@binnacle/storage';
import { connectEtcd, createEtcdStorage, openEmbeddedStorage } from '@binnacle/storage/testing';
import { isStorageError, listPages, type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { storeDirectory, unpackConverted } from '../stored-objects/fixture.ts';
import { type ApiServer, type Document, startApiServer, until } from './api-server.ts';
import { runBinnaclectl } from './setup/run-binnaclectl.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const repository = resolve(import.meta.dirname, '../..');
const maps = '/api/v1/namespaces/drill/configmaps';
const prefix = '/drill';
const leaderLease = 2_000;

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(60_000) });

/** The commands of operations.md for the standalone form that have a word, as they are printed. */
function findPrinted(word: string): string {
  const operations = readFileSync(join(repository, 'docs/operations.md'), 'utf8');
  const [section = ''] = /^## Backup and restore$[\s\S]*?(?=^## )/m.exec(operations) ?? [];
  const blocks = [...section.matchAll(/^ *```sh .*\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) => block);
  const found = blocks.filter(block => block.includes('.binnacle') && block.includes(word));
  assert.equal(found.length, 1, word);
  return found[0] ?? '';
}

const run = promisify(execFile);

/** Everything that a backup of a store has, by key; that of a revision where one is named. */
async function readContent(storage: Storage, atRevision?: number): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const below of ['/', '/_claims/']) {
    const query = { prefix: storageKeyFrom(below), ...(atRevision === undefined ? {} : { atRevision }) };
    for await (const { records } of listPages(storage, query, { nextCall: call }))
      for (const { key, value } of records) found.set(key, Buffer.from(value).toString('latin1'));
  }
  return found;
}

/** A client that lists and watches ConfigMaps, and lists anew when its version is gone, as informers do. */
class Informer {
  readonly objects = new Map<string, Document>();
  resourceVersion = '';
  lists = 0;
  /** The versions with which it was sent away. */
  readonly expired: string[] = [];

  /** Follows a server until that ends. */
  async follow(server: ApiServer): Promise<void> {
    if (this.resourceVersion === '') await this.#list(server);
    for (;;) {
      using stream = await server.watch(`${maps}?watch=true&resourceVersion=${this.resourceVersion}`);
      let seen = 0;
      let isExpired = stream.code === 410;
      const takeEvents = (): boolean => {
        for (; seen < stream.events.length; seen++) {
          const event = stream.events[seen];
          if (event?.type === 'ERROR') isExpired = event.object.code === 410;
          else if (event !== undefined) this.#apply(event);
        }
        return false;
      };
      const polling = setInterval(takeEvents, 20);
      await stream.ended.finally(() => clearInterval(polling));
      takeEvents();
      if (!isExpired) return;
      this.expired.push(this.resourceVersion);
      await this.#list(server);
    }
  }

  async #list(server: ApiServer): Promise<void> {
    const { json } = await server.call('GET', maps);
    this.lists++;
    this.objects.clear();
    for (const item of json.items) this.objects.set(item.metadata.name, item);
    this.resourceVersion = json.metadata.resourceVersion;
  }

  #apply({ type, object }: Document): void {
    this.resourceVersion = object.metadata.resourceVersion;
    if (type === 'DELETED') this.objects.delete(object.metadata.name);
    else this.objects.set(object.metadata.name, object);
  }
}

const createMap = (server: ApiServer, name: string) =>
  server.call('POST', maps, { body: { metadata: { name }, data: { text: name } } });

/** Writes of which some are in a backup and some are not. */
async function writeUntil(server: ApiServer, isDone: () => boolean): Promise<number> {
  let writes = 0;
  for (; !isDone(); writes++) {
    const text = String(writes);
    const { code } = await server.call('PATCH', `${maps}/busy`, {
      body: { data: { text } },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    assert.equal(code, 200);
  }
  return writes;
}

suite('a lost store is restored from its backup', () => {
  let etcd: EtcdServer;
  let folder = '';
  let backupFile = '';
  let expected: ReadonlyMap<string, string> = new Map();
  let lastVersion = '';
  let continueToken = '';
  const informer = new Informer();

  before(async () => {
    etcd = resources.use(await startEtcd());
    folder = resources.use(await createTemporaryDirectory()).path;
    backupFile = join(folder, 'monday.backup');
  });

  const dataDir = () => join(folder, '.binnacle');
  const runPrinted = (word: string) => run('sh', ['-ec', findPrinted(word)], { cwd: folder });

  test('the store is backed up with the documented commands while clients write', async () => {
    await mkdir(dataDir(), { mode: 0o700 });
    await unpackConverted(dataDir());
    await mkdir(join(folder, 'bin'));
    await symlink(join(repository, 'bin/binnaclectl'), join(folder, 'bin/binnaclectl'));
    let revision = 0;
    {
      await using server = await startApiServer({ dataDir: dataDir() });
      await server.namespace('drill');
      for (const name of ['busy', 'revived', 'kept']) assert.equal((await createMap(server, name)).code, 201);
      const secrets = '/api/v1/namespaces/drill/secrets';
      const held = {
        metadata: { name: 'held', finalizers: ['example.com/hold'] },
        stringData: { key: 'hidden' },
      };
      assert.equal((await server.call('POST', secrets, { body: held })).code, 201);
      assert.equal((await server.call('DELETE', `${secrets}/held`)).code, 200);
      const following = informer.follow(server);
      let isDone = false;
      const writing = writeUntil(server, () => isDone);
      const { stdout } = await runPrinted('backup verify').finally(() => {
        isDone = true;
      });
      assert.ok((await writing) > 0);
      assert.match(stdout, /^monday\.backup written\nrecords {2}\d+\n[\s\S]*^monday\.backup is whole\n/m);
      revision = Number(/^revision (\d+)$/m.exec(stdout)?.[1]);
      assert.equal((await createMap(server, 'lost')).code, 201);
      assert.equal((await server.call('DELETE', `${maps}/revived`)).code, 200);
      await until(
        'the informer has seen it',
        () => informer.objects.has('lost') && !informer.objects.has('revived'),
      );
      const page = await server.call('GET', `${maps}?limit=1`);
      continueToken = page.json.metadata.continue;
      lastVersion = page.json.metadata.resourceVersion;
      await server.stop();
      await following;
      assert.equal(informer.lists, 1);
    }
    await using storage = await openEmbeddedStorage({ directory: storeDirectory(dataDir()) });
    expected = await readContent(storage, revision);
    assert.ok(expected.size > 150, `${expected.size}`);
    assert.ok(!expected.has('/core/configmaps/drill/lost'));
    const types = new Set([...expected.keys()].map(key => key.split('/').slice(1, 3).join('/')));
    assert.ok(types.size > 40, `${types.size}`);
    assert.ok(types.has('kept.example.com/widgets'), [...types].join());
    const secret = Buffer.from(expected.get('/core/secrets/drill/held') ?? '', 'latin1');
    const { metadata } = decodeStored(secret, 1);
    assert.deepEqual(metadata.finalizers, ['example.com/hold']);
    assert.ok(metadata.deletionTimestamp);
  });

  test('the store is restored exactly, and clients from before list again', async () => {
    const { stdout } = await runPrinted('restore');
    const floor = Number(/^versions begin after (\d+)$/m.exec(stdout)?.[1]);
    assert.ok(floor > Number(lastVersion), stdout);
    {
      await using storage = await openEmbeddedStorage({ directory: storeDirectory(dataDir()) });
      assert.deepEqual([...(await readContent(storage))], [...expected]);
    }
    await using server = await startApiServer({ dataDir: dataDir() });
    const following = informer.follow(server);
    await until('the informer has listed anew', () => informer.lists === 2);
    assert.equal(informer.expired.length, 1);
    assert.deepEqual([...informer.objects.keys()].toSorted(), ['busy', 'kept', 'revived']);
    assert.equal((await createMap(server, 'after')).code, 201);
    await until('the informer goes on', () => informer.objects.has('after'));

    const exactly = `${maps}?resourceVersion=${lastVersion}&resourceVersionMatch=Exact`;
    for (const path of [exactly, `${maps}?limit=1&continue=${encodeURIComponent(continueToken)}`]) {
      const { code, json } = await server.call('GET', path);
      assert.deepEqual([code, json.reason], [410, 'Expired'], path);
    }
    const { json: list } = await server.call('GET', `${maps}?resourceVersion=${lastVersion}`);
    assert.equal(list.items.length, 4);
    const kept = (await server.call('GET', `${maps}/kept`)).json;
    assert.ok(Number(kept.metadata.resourceVersion) > floor);
    const old = { ...kept, metadata: { ...kept.metadata, resourceVersion: lastVersion } };
    assert.equal((await server.call('PUT', `${maps}/kept`, { body: old })).code, 409);
    assert.equal((await server.call('PUT', `${maps}/kept`, { body: kept })).code, 200);
    await server.stop();
    await following;
    assert.equal(informer.lists, 2);
  });

  const etcdArgs = () => [
    `--etcd-endpoints=${etcd.endpoint}`,
    `--etcd-prefix=${prefix}`,
    `--leader-lease=${leaderLease / 1000}s`,
  ];
  const restore = () =>
    runBinnaclectl(['restore', backupFile, ...etcdArgs()], { env: {} }).then(({ code, out, err }) => ({
      code,
      output: out + err,
    }));

  test('the backup is restored into etcd, and a backup of that into another folder', async () => {
    const { code, output } = await restore();
    assert.equal(code, 0, output);
    using connection = connectEtcd({ endpoints: [etcd.endpoint], prefix });
    assert.deepEqual([...(await readContent(createEtcdStorage(connection)))], [...expected]);

    const leads = Promise.withResolvers<void>();
    await using service = await createStorageService({
      backend: { kind: 'etcd', etcd: { endpoints: [etcd.endpoint], prefix } },
      leaderLease,
      log: silentLogger,
      metrics: createMetrics({ process: false }),
      onLeading: isLeading => isLeading && leads.resolve(),
    });
    await leads.promise;
    const changes = service.storage.changes({ after: Number(lastVersion) }, call())[Symbol.asyncIterator]();
    await assert.rejects(
      async () => await changes.next(),
      thrown => isStorageError(thrown, 'compacted'),
    );
    const other = join(folder, 'etcd.backup');
    const made = await runBinnaclectl(['backup', other, ...etcdArgs().slice(0, 2)], { env: {} });
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /^store {4}etcd, --api-names=/m);
    const elsewhere = join(folder, 'elsewhere');
    const back = await runBinnaclectl(['restore', other, `--data-dir=${elsewhere}`], { env: {} });
    assert.equal(back.code, 0, back.err);
    await using storage = await openEmbeddedStorage({ directory: storeDirectory(elsewhere) });
    assert.deepEqual([...(await readContent(storage))], [...expected]);
    const inUse = await restore();
    assert.deepEqual(inUse, { code: 1, output: 'error: the store is in use: a storage service leads\n' });
  });

  test('a restore into a store that is not empty is refused', async () => {
    const { code, output } = await restore();
    assert.match(output, /^error: the store is not empty: /);
    assert.equal(code, 1);
  });
});
