import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonValue } from '@binnacle/api-objects';
import { createTypeRegistry, messageNamed } from '@binnacle/api-types';
import { decodeStored, encodeProtobuf, encodeStored, storedItem, tableFrom } from '@binnacle/codecs';
import { partialMetadataListFrom } from '@binnacle/codecs/testing';
import { encodeYaml } from '@binnacle/codecs/texts';
import { noDeadline } from '@binnacle/proto';
import type { ApiResult } from '../request/api-request.ts';
import { type ListRendering, renderList } from './render-list.ts';
import type { Representation } from './representation.ts';

type ListResult = Extract<ApiResult, { kind: 'list' }>;

const definition = createTypeRegistry({}).resource('', 'v1', 'configmaps');
if (definition === undefined) throw new Error('there are no config maps');

const meta = 'meta.k8s.io/v1';
const now = 1_700_000_000_000;
const listMeta = { resourceVersion: '9', continue: 'abc', remainingItemCount: 7 };

function createList(count: number): { readonly result: ListResult; readonly objects: ApiObject[] } {
  const items = Array.from({ length: count }, (_, i) => {
    const metadata = { name: `n${i}`, namespace: 'a', creationTimestamp: '2023-01-01T00:00:00Z' };
    const data = { text: `one\ntwo ${i}\n`, quoted: '"', number: '12', long: 'x'.repeat(i) };
    return storedItem(encodeStored({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data }), i + 1);
  });
  const objects = items.map(({ stored, revision }) => decodeStored(stored, revision));
  return { result: { kind: 'list', items, revision: 9, continue: 'abc', remainingItemCount: 7 }, objects };
}

async function renderBytes(result: ListResult, representation: Partial<Representation>): Promise<Buffer> {
  const call = { signal: new AbortController().signal, deadline: noDeadline };
  // Of a request, rendering a list looks at these alone.
  const request = { definition, info: { group: '' }, query: new URLSearchParams(), call };
  const rendering = {
    request,
    now,
    shows: representation.transform?.kind === 'PartialObjectMetadataList' ? 'metadata' : 'objects',
    result,
    representation: {
      encoding: 'json',
      mediaType: '',
      transform: undefined,
      pretty: false,
      ...representation,
    },
  } as unknown as ListRendering;
  const list = await renderList(rendering);
  switch (list.kind) {
    case 'plain': {
      const chunks = Array.from(list.chunks(Buffer.alloc(1024)), chunk => Buffer.from(chunk));
      return Buffer.concat(chunks);
    }
    case 'whole':
      return list.body;
    case 'sized': {
      const body = Buffer.concat([...list.chunks]);
      assert.equal(body.length, list.size);
      return body;
    }
    case 'pieces':
      return Buffer.from([...{ [Symbol.iterator]: () => list.texts }].join(''));
  }
}

const texts: Record<'json' | 'yaml' | 'pretty', (value: JsonValue) => string> = {
  json: value => JSON.stringify(value),
  pretty: value => `${JSON.stringify(value, null, 2)}\n`,
  yaml: encodeYaml,
};
const transform = (kind: NonNullable<Representation['transform']>['kind']) => ({ kind, apiVersion: meta });

for (const count of [0, 1, 2, 700])
  for (const form of ['json', 'pretty', 'yaml'] as const)
    test(`a list of ${count} written item by item equals the whole list: ${form}`, async () => {
      const { result, objects } = createList(count);
      const encoding = form === 'yaml' ? ('yaml' as const) : ('json' as const);
      const representation = { encoding, pretty: form === 'pretty' };
      const items = objects.map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => item);
      const whole = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: listMeta, items };
      const text = String(await renderBytes(result, representation));
      // Plain JSON is made of the stored bytes, in which the version of an object comes first.
      if (form === 'json') assert.deepEqual(JSON.parse(text), whole);
      else assert.equal(text, texts[form](whole));
      const table = tableFrom(definition, objects, { listMeta, now, apiVersion: meta });
      assert.equal(
        String(await renderBytes(result, { ...representation, transform: transform('Table') })),
        texts[form](table as unknown as JsonValue), // Its interfaces are JSON.
      );
      const partial = partialMetadataListFrom(objects, listMeta, meta);
      assert.equal(
        String(
          await renderBytes(result, { ...representation, transform: transform('PartialObjectMetadataList') }),
        ),
        texts[form](partial),
      );
    });

test('a list in protobuf equals the encoded list, for whole objects and for metadata', async () => {
  for (const count of [0, 1, 700]) {
    const { result, objects } = createList(count);
    const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: listMeta, items: objects };
    assert.deepEqual(
      await renderBytes(result, { encoding: 'protobuf' }),
      encodeProtobuf(messageNamed('core.v1.ConfigMapList'), list),
    );
    assert.deepEqual(
      await renderBytes(result, { encoding: 'protobuf', transform: transform('PartialObjectMetadataList') }),
      encodeProtobuf(
        messageNamed('meta.v1.PartialObjectMetadataList'),
        partialMetadataListFrom(objects, listMeta, meta),
      ),
    );
  }
});
