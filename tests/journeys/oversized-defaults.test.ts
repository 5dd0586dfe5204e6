import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Answer, type ApiServer, until } from './api-server.ts';
import { createDefinition, definitionsPath, establish } from './custom-widget.ts';
import { shareApiServer } from './shared-server.ts';

/** Schema defaults that would make small objects huge: when they are written, and when the defaults are younger than they. */

const group = 'defaults.example.com';
const merge = { 'Content-Type': 'application/merge-patch+json' };
const apply = { 'Content-Type': 'application/apply-patch+yaml' };
const text = { type: 'string' };
const many = Array.from({ length: 500 }, () => 'x');
const long = 'y'.repeat(100_000);

const version = (name: string, storage: boolean, item: object) => ({
  name,
  served: true,
  storage,
  subresources: { status: {} },
  additionalPrinterColumns: [{ name: 'Kept', type: 'string', jsonPath: '.spec.kept' }],
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            kept: text,
            late: { ...text, default: 'late' },
            items: { type: 'array', items: { type: 'object', properties: { a: text, d: item } } },
          },
        },
        status: { type: 'object', properties: { phase: text } },
      },
    },
  },
});
const definition = (plural: string, kind: string, item: object) =>
  createDefinition(
    plural,
    kind,
    {},
    { group, versions: [version('v1', true, item), version('v2', false, item)] },
  );

const small = { type: 'array', items: text };
const ofValues = { ...small, default: many };
const ofBytes = { ...text, default: long };

let server: ApiServer;
before(async () => {
  server = await shareApiServer();
  await server.namespace('oversized-defaults');
  await server.namespace('gone');
});
after(() => server[Symbol.asyncDispose]());

const createPath = (plural: string, version = 'v1', namespace = 'oversized-defaults') =>
  `/apis/${group}/${version}/namespaces/${namespace}/${plural}`;
const emptyItems = (count: number) => Array.from({ length: count }, () => ({}));
const createObject = (kind: string, name: string, spec: object) => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name },
  spec,
});
const ok = async (answer: Promise<Answer>): Promise<Answer> => {
  const { code, text } = await answer;
  assert.ok(code === 200 || code === 201, `${code} ${text.slice(0, 1000)}`);
  return answer;
};
const parseSpec = ({ text }: Answer) =>
  (JSON.parse(text) as { spec: { kept?: string; late?: string; items?: object[] } }).spec;

describe('an object that would become too large with defaults', () => {
  before(async () => {
    await establish(server, definition('crowds', 'Crowd', ofValues));
    await ok(
      server.call('POST', createPath('crowds'), { body: createObject('Crowd', 'c', { kept: 'yes' }) }),
    );
  });

  const items = emptyItems(24_000);
  const writes: [what: string, write: () => Promise<Answer>][] = [
    [
      'create',
      () => server.call('POST', createPath('crowds'), { body: createObject('Crowd', 'n', { items }) }),
    ],
    [
      'create without a trace',
      () =>
        server.call('POST', `${createPath('crowds')}?dryRun=All`, {
          body: createObject('Crowd', 'n', { items }),
        }),
    ],
    [
      'replace',
      async () => {
        const object = JSON.parse((await server.call('GET', `${createPath('crowds')}/c`)).text);
        return server.call('PUT', `${createPath('crowds')}/c`, { body: { ...object, spec: { items } } });
      },
    ],
    [
      'patch',
      () => server.call('PATCH', `${createPath('crowds')}/c`, { headers: merge, body: { spec: { items } } }),
    ],
    [
      'apply',
      () =>
        server.call('PATCH', `${createPath('crowds')}/c?fieldManager=m`, {
          headers: apply,
          body: createObject('Crowd', 'c', { items }),
        }),
    ],
    [
      'apply what is not there',
      () =>
        server.call('PATCH', `${createPath('crowds')}/n?fieldManager=m`, {
          headers: apply,
          body: createObject('Crowd', 'n', { items }),
        }),
    ],
    [
      'create through another version',
      () =>
        server.call('POST', createPath('crowds', 'v2'), {
          body: { ...createObject('Crowd', 'n', { items }), apiVersion: `${group}/v2` },
        }),
    ],
  ];
  for (const [what, write] of writes)
    test(`${what} is refused with the name of its definition`, async () => {
      const answer = await write();
      assert.equal(answer.code, 413, answer.text.slice(0, 1000));
      assert.equal(answer.json.reason, 'RequestEntityTooLarge');
      assert.match(
        answer.json.message,
        /with the defaults of customresourcedefinition "crowds\.defaults\.example\.com" .* 25000 values/,
      );
      assert.deepEqual(parseSpec(await server.call('GET', `${createPath('crowds')}/c`)), {
        kept: 'yes',
        late: 'late',
      });
    });

  test('is accepted with its defaults if it fits', async () => {
    const created = await ok(
      server.call('POST', createPath('crowds'), {
        body: createObject('Crowd', 'fits', { items: emptyItems(40) }),
      }),
    );
    assert.deepEqual(parseSpec(created).items?.[39], { d: many });
  });
});

describe('an object that is older than its defaults', () => {
  const at = `${createPath('grown')}/big`;
  before(async () => {
    await establish(server, definition('grown', 'Grown', text));
    const big = createObject('Grown', 'big', { kept: 'yes', items: emptyItems(10_000) });
    for (const namespace of ['oversized-defaults', 'gone'])
      await ok(server.call('POST', createPath('grown', 'v1', namespace), { body: big }));
    await ok(
      server.call('POST', createPath('grown'), { body: createObject('Grown', 'small', { kept: 'yes' }) }),
    );
    await replaceDefinition(ofBytes);
  });

  async function replaceDefinition(item: object): Promise<void> {
    const body = { spec: definition('grown', 'Grown', item).spec };
    await ok(server.call('PATCH', `${definitionsPath}/grown.${group}`, { headers: merge, body }));
    const expected = 'default' in item;
    await until('the default counts', async () => {
      const probe = createObject('Grown', 'probe', { items: [{}] });
      const { text } = await server.call('POST', `${createPath('grown')}?dryRun=All`, { body: probe });
      return text.includes('yyy') === expected;
    });
  }

  test('is an error that names the definition', async () => {
    for (const headers of [
      {},
      { Accept: 'application/yaml' },
      { Accept: 'application/json;as=Table;g=meta.cluster.io;v=v1' },
    ])
      for (const version of ['v1', 'v2']) {
        const answer = await server.call('GET', `${createPath('grown', version)}/big`, { headers });
        assert.equal(answer.code, 500, answer.text.slice(0, 1000));
        assert.match(
          answer.text,
          /defaults of customresourcedefinition \\?"grown\.defaults\.example\.com\\?"/,
        );
      }
  });

  test('is readable as metadata', async () => {
    const Accept = 'application/json;as=PartialObjectMetadata;g=meta.cluster.io;v=v1';
    const { json } = await ok(server.call('GET', at, { headers: { Accept } }));
    assert.equal(json.metadata.name, 'big');
  });

  test('is in lists as it is stored with a warning, among complete objects', async () => {
    for (const version of ['v1', 'v2']) {
      const answer = await ok(server.call('GET', createPath('grown', version)));
      assert.match(
        String(answer.headers['warning']),
        /1 object is shown without the defaults of customresourcedefinition/,
      );
      const { items } = JSON.parse(answer.text) as { items: { spec: { late?: string; items?: object[] } }[] };
      assert.deepEqual(
        items.map(({ spec }) => [spec.late, spec.items?.[0]]),
        [
          ['late', {}],
          ['late', undefined],
        ],
      );
    }
  });

  test('is in Tables, YAML and metadata lists', async () => {
    const table = await ok(
      server.call('GET', createPath('grown'), {
        headers: { Accept: 'application/json;as=Table;g=meta.cluster.io;v=v1' },
      }),
    );
    assert.deepEqual(
      table.json.rows.map(({ cells }) => cells),
      [
        ['big', 'yes'],
        ['small', 'yes'],
      ],
    );
    assert.match(String(table.headers['warning']), /1 object/);
    const yaml = await ok(
      server.call('GET', createPath('grown'), { headers: { Accept: 'application/yaml' } }),
    );
    assert.match(yaml.text, /name: big/);
    const Accept = 'application/json;as=PartialObjectMetadataList;g=meta.cluster.io;v=v1';
    const metadata = await ok(server.call('GET', createPath('grown'), { headers: { Accept } }));
    assert.equal(metadata.json.items.length, 2);
    assert.equal(metadata.headers['warning'], undefined);
    const selected = await ok(
      server.call('GET', `${createPath('grown')}?fieldSelector=metadata.name=big&limit=1`),
    );
    assert.equal(selected.json.items.length, 1);
  });

  test('is in watches as it is stored', async () => {
    using watch = await server.watch(`${createPath('grown')}?watch=true`);
    await until('both are there', () => watch.events.length >= 2);
    const [big] = watch.events.map(({ object }) => object as unknown as { spec: { items: object[] } });
    assert.deepEqual(big?.spec.items[0], {});
  });

  test('can get labels, finalizers and a status by every kind of write', async () => {
    await ok(server.call('PATCH', at, { headers: merge, body: { metadata: { labels: { merged: 'yes' } } } }));
    const op = { op: 'add', path: '/metadata/finalizers', value: ['example.com/hold'] };
    await ok(
      server.call('PATCH', at, { headers: { 'Content-Type': 'application/json-patch+json' }, body: [op] }),
    );
    const labelled = {
      apiVersion: `${group}/v1`,
      kind: 'Grown',
      metadata: { name: 'big', labels: { applied: 'yes' } },
    };
    await ok(server.call('PATCH', `${at}?fieldManager=m`, { headers: apply, body: labelled }));
    const status = await ok(
      server.call('PATCH', `${at}/status`, { headers: merge, body: { status: { phase: 'Ready' } } }),
    );
    assert.match(String(status.headers['warning']), /shown without the defaults/);
    const object = JSON.parse(status.text);
    assert.deepEqual(object.metadata.labels, { merged: 'yes', applied: 'yes' });
    assert.deepEqual(object.metadata.finalizers, ['example.com/hold']);
    assert.deepEqual(object.status, { phase: 'Ready' });
    const { metadata } = object;
    await ok(
      server.call('PUT', at, { body: { ...object, metadata: { ...metadata, annotations: { put: 'yes' } } } }),
    );
    assert.equal((await server.call('GET', at)).code, 500);
  });

  test('cannot get larger', async () => {
    const changed = await server.call('PATCH', at, { headers: merge, body: { spec: { kept: 'no' } } });
    assert.equal(changed.code, 413, changed.text.slice(0, 1000));
  });

  test('is complete again when its definition changes', async () => {
    await replaceDefinition(text);
    assert.equal(parseSpec(await ok(server.call('GET', at))).late, 'late');
    await replaceDefinition(ofBytes);
    assert.equal((await server.call('GET', at)).code, 500);
  });

  test('is repaired by a write that makes it smaller', async () => {
    const Accept = 'application/json;as=PartialObjectMetadata;g=meta.cluster.io;v=v1';
    const { metadata } = (await server.call('GET', at, { headers: { Accept } })).json;
    const body = { ...createObject('Grown', 'big', { kept: 'yes', items: [{}] }), metadata };
    const mended = await ok(server.call('PUT', at, { body }));
    assert.deepEqual(parseSpec(mended).items, [{ d: long }]);
    assert.equal((await server.call('GET', at)).code, 200);
  });

  test('can be deleted with its namespace, collection and definition', async () => {
    const gone = createPath('grown', 'v1', 'gone');
    const held = { metadata: { finalizers: ['example.com/hold'] } };
    await ok(server.call('PATCH', `${gone}/big`, { headers: merge, body: held }));
    const deleted = await ok(server.call('DELETE', `${gone}/big`));
    assert.match(String(deleted.headers['warning']), /shown without the defaults/);
    await ok(
      server.call('PATCH', `${gone}/big`, { headers: merge, body: { metadata: { finalizers: null } } }),
    );
    await replaceDefinition(text);
    const big = (name: string) => createObject('Grown', name, { items: emptyItems(10_000) });
    for (const name of ['one', 'two']) await ok(server.call('POST', gone, { body: big(name) }));
    for (const name of ['big1', 'big2', 'big3'])
      await ok(server.call('POST', createPath('grown'), { body: big(name) }));
    await replaceDefinition(ofBytes);
    await ok(server.call('DELETE', `${createPath('grown')}/big1`));
    await ok(server.call('DELETE', '/api/v1/namespaces/gone'));
    await until(
      'the namespace is gone',
      async () => (await server.call('GET', '/api/v1/namespaces/gone')).code === 404,
    );
    await ok(server.call('DELETE', `${createPath('grown')}?fieldSelector=metadata.name=big2`));
    await ok(
      server.call('PATCH', `${createPath('grown')}/big`, {
        headers: merge,
        body: { metadata: { finalizers: null } },
      }),
    );
    await ok(server.call('DELETE', `${definitionsPath}/grown.${group}`));
    await until(
      'the definition is gone',
      async () => (await server.call('GET', `${definitionsPath}/grown.${group}`)).code === 404,
    );
  });
});
