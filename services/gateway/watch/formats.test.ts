import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { createTypeRegistry, messageNamed } from '@binnacle/api-types';
import { decodeProtobuf, encodeStored, storedItem } from '@binnacle/codecs';
import { expired } from '@binnacle/status-errors';
import type { StorageKey } from '@binnacle/storage-contract';
import { createMetrics } from '@binnacle/telemetry';
import type { CachedObject } from '@binnacle/watch-cache';
import { apiVersionAliasFor } from '../render/api-version-alias.ts';
import { negotiate } from '../render/negotiate.ts';
import { findOffer } from '../render/negotiation-offers.ts';
import { createConversionMetrics } from '../versions/conversion-calls.ts';
import { createWebhookConversions } from '../versions/webhook-conversions.ts';
import { chunkFraming, type Framing, streamFraming } from './framing/framing.ts';
import { binaryFraming, textFraming } from './framing/web-socket-framing.ts';
import { initialEventsEndAnnotations, WatchFormats } from './watch-formats.ts';

const registry = createTypeRegistry();
const formats = new WatchFormats({
  clock: () => 0,
  kubernetesClientCompatibility: true,
  conversions: createWebhookConversions({
    dispatch: undefined,
    findAddress: () => undefined,
    ...createConversionMetrics(createMetrics()),
    clock: () => 0,
  }),
});

interface Asked {
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly transport?: 'chunks' | 'stream' | 'webSocket';
}

function formatFor(
  accept: string,
  { group = '', version = 'v1', resource = 'configmaps', transport = 'chunks' }: Asked = {},
) {
  const definition = registry.resource(registry.canonicalGroup(group), version, resource);
  assert.ok(definition);
  const info = {
    verb: 'watch',
    path: '',
    group,
    version,
    resource,
    subresource: '',
    namespace: '',
    name: '',
  } as const;
  const representation = negotiate(
    { accept, userAgent: 'test', query: new URLSearchParams() },
    findOffer('watch', true),
  );
  return formats.of({
    definition,
    alias: apiVersionAliasFor(definition, info),
    representation,
    includeObject: '',
    transport,
  });
}

function cached(object: ApiObject, revision: number): CachedObject {
  const { namespace = '', name = '' } = object.metadata;
  return {
    key: `/x/${namespace}/${name}` as StorageKey,
    namespace,
    name,
    ...storedItem(encodeStored(object), revision),
    labels: {},
    fields: {},
    parse: () => object,
    derived: (_slot, compute) => compute(cached(object, revision)),
  };
}

/** The content of one HTTP chunk, whose framing must be right. */
function content(frame: Buffer): Buffer {
  const head = frame.indexOf('\r\n');
  const length = Number.parseInt(frame.subarray(0, head).toString('latin1'), 16);
  assert.equal(frame.length, head + 2 + length + 2);
  assert.equal(frame.subarray(-2).toString('latin1'), '\r\n');
  return frame.subarray(head + 2, -2);
}
const json = (frame: Buffer) => JSON.parse(content(frame).toString('utf8'));

/** The JSON documents of some frames. */
function documents(frames: Buffer, framing: Framing) {
  const found = [];
  for (let rest = frames; rest.length > 0; ) {
    const { contentStart, contentEnd, end } = framing.first(rest);
    found.push(JSON.parse(rest.toString('utf8', contentStart, contentEnd)));
    rest = rest.subarray(end);
  }
  return found;
}

const map: ApiObject = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'ä', namespace: 't' },
  data: { k: 'ü\n' },
};

test('a JSON event shows the object at the revision of the change', () => {
  const { encoding } = formatFor('application/json');
  const frame = encoding.event({ type: 'DELETED', object: cached(map, 5), revision: 7 });
  assert.equal(content(frame).at(-1), 10);
  assert.deepEqual(json(frame), {
    type: 'DELETED',
    object: { ...map, metadata: { resourceVersion: '7', ...map.metadata } },
  });
});

test('a bookmark has kind and revision, and marks the end of initial events when needed', () => {
  const { encoding } = formatFor('application/json');
  assert.deepEqual(json(encoding.bookmark(9, false)), {
    type: 'BOOKMARK',
    object: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { resourceVersion: '9', creationTimestamp: null },
    },
  });
  const closing = json(encoding.bookmark(9, true));
  assert.deepEqual(closing.object.metadata.annotations, {
    'cluster.io/initial-events-end': 'true',
    'k8s.io/initial-events-end': 'true',
  });
});

test('an alias of a group is kept', () => {
  const object = {
    kind: 'Role',
    apiVersion: 'rbac.authorization.cluster.io/v1',
    metadata: { name: 'r', namespace: 't' },
  };
  const { encoding } = formatFor('application/json', {
    group: 'rbac.authorization.k8s.io',
    resource: 'roles',
  });
  const event = json(encoding.event({ type: 'ADDED', object: cached(object, 1), revision: 1 }));
  assert.equal(event.object.apiVersion, 'rbac.authorization.k8s.io/v1');
  assert.equal(json(encoding.bookmark(1, false)).object.apiVersion, 'rbac.authorization.k8s.io/v1');
});

test('a Table event has one row, and a metadata event no content', () => {
  const event = { type: 'ADDED', object: cached(map, 5), revision: 5 } as const;
  const table = json(formatFor('application/json;as=Table;v=v1;g=meta.k8s.io').encoding.event(event));
  assert.equal(table.object.apiVersion, 'meta.k8s.io/v1');
  assert.equal(table.object.rows.length, 1);
  assert.equal(table.object.metadata.resourceVersion, '5');
  const partial = json(
    formatFor('application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io').encoding.event(event),
  );
  assert.deepEqual(partial, {
    type: 'ADDED',
    object: {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { ...map.metadata, resourceVersion: '5' },
    },
  });
});

test('metadata in protobuf is enveloped under both media types', () => {
  const message = messageNamed('meta.v1.PartialObjectMetadata');
  const objectIn = (frame: Buffer, type: string) => {
    const bytes = content(frame);
    assert.equal(bytes.readUInt32BE(0), bytes.length - 4);
    assert.equal(
      bytes.subarray(4, 6 + type.length).toString('latin1'),
      `\n${String.fromCharCode(type.length)}${type}`,
    );
    const { apiVersion, kind, object } = decodeProtobuf(bytes.subarray(bytes.indexOf('k8s\0')), message);
    return { apiVersion, kind, metadata: object['metadata'] };
  };
  const types = ['application/vnd.kubernetes.protobuf', 'application/vnd.cluster.protobuf'] as const;
  const forms = types.map(type => formatFor(`${type};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`));
  for (const [i, { contentType, encoding }] of forms.entries()) {
    assert.equal(contentType, `${types[i]};stream=watch`);
    assert.equal(encoding.id, forms[0]?.encoding.id);
    const labelled = { ...map, metadata: { ...map.metadata, labels: { '}': '"{' } } };
    assert.deepEqual(
      objectIn(encoding.event({ type: 'MODIFIED', object: cached(labelled, 5), revision: 7 }), 'MODIFIED'),
      {
        apiVersion: 'meta.k8s.io/v1',
        kind: 'PartialObjectMetadata',
        metadata: { name: 'ä', namespace: 't', labels: { '}': '"{' }, resourceVersion: '7' },
      },
    );
    const bookmark = objectIn(encoding.bookmark(9, true), 'BOOKMARK');
    assert.equal(bookmark.kind, 'PartialObjectMetadata');
    assert.deepEqual(bookmark.metadata, {
      resourceVersion: '9',
      annotations: { 'cluster.io/initial-events-end': 'true', 'k8s.io/initial-events-end': 'true' },
    });
  }
});

test('a protobuf frame has its length', () => {
  const format = formatFor('application/vnd.kubernetes.protobuf');
  assert.equal(format.contentType, 'application/vnd.kubernetes.protobuf;stream=watch');
  const frame = content(format.encoding.event({ type: 'ADDED', object: cached(map, 5), revision: 5 }));
  assert.equal(frame.readUInt32BE(0), frame.length - 4);
  assert.ok(frame.includes('ADDED'));
  assert.ok(frame.includes('k8s\0'));
  assert.ok(content(format.error(expired('old').toStatus())).includes('Expired'));
});

test('the first event of a Table watch has the columns, and later ones have none', () => {
  for (const transport of ['chunks', 'stream', 'webSocket'] as const) {
    const format = formatFor('application/json;as=Table;v=v1;g=meta.cluster.io', { transport });
    const framing = { chunks: chunkFraming, stream: streamFraming, webSocket: textFraming }[transport];
    const event = (name: string) =>
      format.encoding.event({
        type: 'ADDED',
        object: cached({ ...map, metadata: { name } }, 5),
        revision: 5,
      });
    const shared = Buffer.concat([event('a'), event('b'), format.encoding.bookmark(6, true)]);
    const opened = format.opening?.(shared) ?? Buffer.alloc(0);
    const columns = (frames: Buffer) =>
      documents(frames, framing).map(({ object }) => object.columnDefinitions?.length ?? null);
    assert.deepEqual(columns(shared), [null, null, null]);
    assert.deepEqual(columns(opened), [3, null, null]);
    assert.deepEqual(
      documents(opened, framing).map(({ object }) => object.rows[0]?.cells[0]),
      ['a', 'b', ''],
    );
    const error = format.error(expired('old').toStatus());
    assert.equal(format.opening?.(error), error);
  }
});

test('WebSocket messages have the content of chunks, and protobuf without its length', () => {
  const event = { type: 'MODIFIED', object: cached(map, 5), revision: 7 } as const;
  const { encoding: chunks } = formatFor('application/json');
  const { encoding: messages } = formatFor('application/json', { transport: 'webSocket' });
  const message = messages.event(event);
  const { contentStart, contentEnd, end } = textFraming.first(message);
  assert.equal(message[0], 0x81);
  assert.equal(end, message.length);
  assert.deepEqual(message.subarray(contentStart, contentEnd), content(chunks.event(event)));
  const protobuf = 'application/vnd.cluster.protobuf';
  const binary = formatFor(protobuf, { transport: 'webSocket' }).encoding.event(event);
  assert.equal(binary[0], 0x82);
  assert.deepEqual(
    binary.subarray(binaryFraming.first(binary).contentStart),
    content(formatFor(protobuf).encoding.event(event)).subarray(4),
  );
});

test('the bookmark after initial events has the Kubernetes annotation only for existing clients', () => {
  assert.deepEqual(initialEventsEndAnnotations(false), { 'cluster.io/initial-events-end': 'true' });
});

test('a bookmark in a Table is one row without values', () => {
  const kinds = registry.resources.filter(({ stored, verbs }) => stored && verbs.includes('watch'));
  assert.ok(kinds.length > 50);
  for (const definition of kinds) {
    const { group, version, resource, rules } = definition;
    const { encoding } = formatFor('application/json;as=Table;v=v1;g=meta.cluster.io', {
      group,
      version,
      resource,
    });
    const { object } = json(encoding.bookmark(9, true));
    assert.equal(object.metadata.resourceVersion, '9');
    assert.equal(object.rows.length, 1, resource);
    assert.equal(object.rows[0].cells.length, rules.columns?.length ?? 2);
    assert.equal(object.rows[0].object.metadata.annotations['cluster.io/initial-events-end'], 'true');
  }
});

test('watches with the same parameters share a format', () => {
  assert.equal(formatFor('application/json'), formatFor('*/*'));
  assert.notEqual(formatFor('application/json'), formatFor('application/vnd.kubernetes.protobuf'));
});
