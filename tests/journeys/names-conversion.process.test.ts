import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Vocabulary, vocabularies, vocabulary } from '@binnacle/api-names';
import { groupTable, labelTable, type NameRow, namespaceTable } from '@binnacle/api-names/table';
import { decodeStored } from '@binnacle/codecs';
import { bundledProgram, currentBundles } from '@binnacle/compose/testing';
import { deadlineIn } from '@binnacle/proto';
import { openEmbeddedStorage } from '@binnacle/storage/testing';
import { listPages, storageKeyFrom } from '@binnacle/storage-contract';
import { startStandaloneForm } from '../conformance/standalone-form.ts';
import { startConformanceServer } from '../conformance/start-conformance-server.ts';
import { storeDirectory, unpackConverted, unpackFixture } from '../stored-objects/fixture.ts';
import { runBinnaclectl } from './setup/run-binnaclectl.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const program = resolve(import.meta.dirname, '../../bin/binnaclectl');
const standalone = bundledProgram(await currentBundles(), 'standalone');
const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());

interface Ended {
  readonly code: unknown;
  readonly output: string;
}

function run(command: string, args: readonly string[]) {
  const ended = Promise.withResolvers<Ended>();
  const child = execFile(command, args, { maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
    ended.resolve({ code: error?.code ?? error?.signal ?? 0, output: stdout + stderr }),
  );
  return { child, ended: ended.promise };
}

const conversion = (to: Vocabulary, dataDir: string) =>
  ['names', 'convert', `--to=${to}`, `--data-dir=${dataDir}`] as const;

/** Converts a store in this process. */
async function convert(to: Vocabulary, dataDir: string): Promise<Ended> {
  const { code, out, err } = await runBinnaclectl(conversion(to, dataDir), { env: process.env });
  return { code, output: out + err };
}

/** Converts it as users do, in a process that can be killed. */
const startConversion = (to: Vocabulary, dataDir: string) => run(program, conversion(to, dataDir));

/** The records below a prefix, by key: values as text of one byte a letter. */
async function readContent(dataDir: string, prefix: string): Promise<ReadonlyMap<string, Buffer>> {
  await using storage = await openEmbeddedStorage({ directory: storeDirectory(dataDir) });
  const nextCall = () => ({ signal: new AbortController().signal, deadline: deadlineIn(60_000) });
  const found = new Map<string, Buffer>();
  for await (const { records } of listPages(storage, { prefix: storageKeyFrom(prefix) }, { nextCall }))
    for (const { key, value } of records) found.set(key, Buffer.from(value));
  return found;
}

async function everything(dataDir: string): Promise<readonly (readonly [string, string])[]> {
  const all = [...(await readContent(dataDir, '/')), ...(await readContent(dataDir, '/_claims/'))];
  return all.map(([key, value]) => [key, value.toString('latin1')] as const).toSorted();
}

async function dataFolder(unpack: (path: string) => Promise<void> = unpackFixture): Promise<string> {
  const { path } = resources.use(await createTemporaryDirectory());
  await unpack(path);
  return path;
}

test('a store with every kind is converted, and back to the same bytes', async () => {
  const dataDir = await dataFolder();
  const before = await everything(dataDir);
  const there = await convert('kubernetes', dataDir);
  assert.equal(there.code, 0, there.output);
  assert.match(there.output, /^The store has --api-names=kubernetes now\.\nObjects rewritten: \d{2,}/);
  const keys = [...(await readContent(dataDir, '/')).keys()];
  assert.ok(keys.length > 100, `${keys.length}`);
  for (const key of keys)
    assert.ok(
      !Object.values<NameRow>(groupTable).some(row => row[0] !== row[1] && key.startsWith(`/${row[0]}/`)),
      key,
    );
  assert.ok(keys.includes(`/core/namespaces//${namespaceTable.system[1]}`));
  const back = await convert('cluster', dataDir);
  assert.equal(back.code, 0, back.output);
  assert.deepEqual(await everything(dataDir), before);
  assert.deepEqual([...(await readContent(dataDir, '/_api-names/')).keys()], []);
});

test('a killed conversion continues where it ended, and no server starts meanwhile', async () => {
  const [whole, killed] = [await dataFolder(), await dataFolder()];
  await convert('kubernetes', whole);
  let isConverted = false;
  for (let waitMs = 600; !isConverted; waitMs *= 1.25) {
    const { child, ended } = startConversion('kubernetes', killed);
    await Promise.race([ended, pause(waitMs)]);
    child.kill('SIGKILL');
    isConverted = (await ended).code === 0;
    // One with these names is refused, whether the conversion had come to its end or not.
    const flags = [
      '--api-names=cluster',
      '--port=0',
      `--data-dir=${killed}`,
      '--log-level=error',
      '--log-format=text',
    ];
    if (isConverted || (await readContent(killed, '/_api-names')).size === 0) continue;
    const { output, code } = await run(process.execPath, [standalone, ...flags]).ended;
    assert.match(output, /^standalone: the (conversion of the )?store .*\n$/);
    assert.equal(code, 1);
  }
  assert.deepEqual(await everything(killed), await everything(whole));
});

test('a data folder of the previous release is refused by a server with the names of Kubernetes', async () => {
  const dataDir = await dataFolder();
  const flags = [
    '--api-names=kubernetes',
    '--port=0',
    `--data-dir=${dataDir}`,
    '--log-level=error',
    '--log-format=text',
  ];
  const { output, code } = await run(process.execPath, [standalone, ...flags]).ended;
  assert.equal(
    output,
    'standalone: the store has --api-names=cluster, and this process --api-names=kubernetes: start it with --api-names=cluster, or convert the store with "binnaclectl names convert --to=kubernetes"\n',
  );
  assert.equal(code, 1);
});

test('a converted store is served in its names, cannot be converted meanwhile, and is converted back', async () => {
  const other = vocabularies.find(name => name !== vocabulary) ?? vocabulary;
  const column = other === 'cluster' ? 0 : 1;
  const dataDir = await dataFolder(unpackConverted);
  const before = await readContent(dataDir, '/');
  const there = await convert(other, dataDir);
  assert.equal(there.code, 0, there.output);
  {
    await using server = await startConformanceServer(
      options => startStandaloneForm({ ...options, dataDirectory: dataDir }),
      { 'api-names': other },
    );
    const system = namespaceTable.system[column];
    const namespace = await server.expect(200, 'GET', `/api/v1/namespaces/${system}`);
    assert.equal(namespace.at('metadata', 'labels', labelTable.metadataName[column]), system);
    const group = groupTable.networking[column];
    const ingress = await server.expect(200, 'GET', `/apis/${group}/v1/namespaces/kept/ingresses/front`);
    assert.equal(ingress.at('apiVersion'), `${group}/v1`);
    const { code, output } = await convert(vocabulary, dataDir);
    assert.match(
      output,
      /^error: the data directory .* is in use by process \d+: end it, or set --data-dir .*\n$/,
    );
    assert.equal(code, 1);
  }
  const back = await convert(vocabulary, dataDir);
  assert.equal(back.code, 0, back.output);
  const returned = await readContent(dataDir, '/');
  let same = 0;
  for (const [key, value] of before) {
    const found = returned.get(key);
    if (found?.equals(value)) same++;
    // The controllers of the server go on with their work in the other names.
    else if (found) assert.equal(decodeStored(found, 0).kind, decodeStored(value, 0).kind, key);
  }
  assert.ok(same > 100, `${same} of ${before.size}`);
});

test('objects that a server writes by itself are the same after a conversion and in a new store', async () => {
  const started = async (names: Vocabulary): Promise<string> => {
    const dataDir = await dataFolder(async () => {});
    await using _server = await startConformanceServer(
      options => startStandaloneForm({ ...options, dataDirectory: dataDir }),
      { 'api-names': names },
    );
    return dataDir;
  };
  const readObjects = async (dataDir: string) => {
    const objects = [...(await readContent(dataDir, '/'))].map(([key, value]) => {
      const { kind, apiVersion, metadata } = decodeStored(value, 0);
      const { labels, annotations } = metadata;
      // The lease of a server is called by a digest of its own.
      return [key.replace(/-[a-z0-9]{26}$/, ''), { kind, apiVersion, labels, annotations }] as const;
    });
    return new Map(objects);
  };
  const [dataDir, other] = [await started('cluster'), await started('kubernetes')];
  const { code, output } = await convert('kubernetes', dataDir);
  assert.equal(code, 0, output);
  const [converted, written] = [await readObjects(dataDir), await readObjects(other)];
  assert.ok(converted.size > 100, `${converted.size}`);
  for (const [key, object] of converted) assert.deepEqual(object, written.get(key), key);
});
