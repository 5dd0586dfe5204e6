import assert from 'node:assert/strict';
import type { JsonObject } from '@binnacle/api-objects';
import { objectsAt } from '../journeys/setup/json-parts.ts';
import { assertRefused, createAll, freshCollection, readVersion } from './drivers/collections.ts';
import type { Answer, ConformanceTests } from './drivers/conformance-server.ts';
import {
  bytesField,
  hasMagic,
  parseProtobuf,
  protobufEnvelope,
  protobufMessage,
} from './protobuf-message.ts';

const tableType = 'application/json;as=Table;g=meta.cluster.io;v=v1';
const protobufType = 'application/vnd.cluster.protobuf';

function readColumns(table: Answer): JsonObject[] {
  const columns = table.at('columnDefinitions');
  assert.ok(Array.isArray(columns), table.text);
  return objectsAt(columns);
}

/** 1, "Table representation" and "Protobuf envelope". */
export const representationTests: ConformanceTests = {
  '1/Table representation/a a collection is a Table of rows': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a', 'b']);
    const list = await server.expect(200, 'GET', secrets);
    // Other tests write secrets of their own meanwhile, which moves the version of lists on.
    const sameVersion = `${secrets}?resourceVersion=${readVersion(list)}&resourceVersionMatch=Exact`;
    const table = await server.expect(200, 'GET', sameVersion, { accept: tableType });
    assert.deepEqual([table.at('kind'), table.at('apiVersion')], ['Table', 'meta.cluster.io/v1']);
    assert.equal(readVersion(table), readVersion(list));
    assert.deepEqual(
      readColumns(table).map(column => column['name']),
      ['Name', 'Type', 'Data', 'Age'],
    );
    const rows = table.at('rows');
    assert.ok(Array.isArray(rows) && rows.length === 2);
    assert.equal(table.at('rows', 1, 'cells', 0), 'b');
    assert.equal(table.at('rows', 1, 'object', 'kind'), 'PartialObjectMetadata');
    assert.equal(table.at('rows', 1, 'object', 'metadata', 'name'), 'b');
  },
  '1/Table representation/a a single object is a Table of one row': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    const table = await server.expect(200, 'GET', `${secrets}/a`, { accept: tableType });
    const rows = table.at('rows');
    assert.ok(Array.isArray(rows) && rows.length === 1);
    for (const column of readColumns(table)) {
      assert.equal(typeof column['name'], 'string');
      assert.equal(typeof column['type'], 'string');
    }
  },
  '1/Table representation/b roles have the two columns of the default table': async server => {
    const roles = `/apis/rbac.authorization.cluster.io/v1/namespaces/${await server.namespace()}/roles`;
    const created = await server.expect(201, 'POST', roles, { body: { metadata: { name: 'r' } } });
    const table = await server.expect(200, 'GET', roles, { accept: tableType });
    assert.deepEqual(
      readColumns(table).map(column => [column['name'], column['type']]),
      [
        ['Name', 'string'],
        ['Created At', 'date'],
      ],
    );
    assert.deepEqual(table.at('rows', 0, 'cells'), [
      'r',
      created.at('metadata', 'creationTimestamp') ?? null,
    ]);
  },
  '1/Table representation/c an access review is no Table': async server => {
    const path = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';
    const body = { spec: { nonResourceAttributes: { path: '/x', verb: 'get' } } };
    assertRefused(await server.request('POST', path, { body, accept: tableType }), 406, 'NotAcceptable');
  },
  '1/Protobuf envelope/1 objects, collections and errors begin with the prefix': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    for (const path of [`${secrets}/a`, secrets, `${secrets}/none`]) {
      const answer = await server.request('GET', path, { accept: protobufType });
      assert.equal(answer.headers['content-type'], protobufType, path);
      assert.ok(hasMagic(answer.bytes), path);
    }
  },
  '1/Protobuf envelope/1 a body without the prefix is refused': async server => {
    const secrets = await freshCollection(server);
    const raw = protobufMessage([[1, protobufMessage([[1, 'a']])]]);
    const refused = await server.request('POST', secrets, { body: raw, contentType: protobufType });
    assertRefused(refused, 400, 'BadRequest');
  },
  '1/Protobuf envelope/2 the envelope names type and version, and holds the whole object': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['named']);
    const answer = await server.expect(200, 'GET', `${secrets}/named`, { accept: protobufType });
    const unknown = parseProtobuf(answer.bytes.subarray(4));
    const typeMeta = parseProtobuf(bytesField(unknown, 1) ?? Buffer.alloc(0));
    assert.equal(bytesField(typeMeta, 1)?.toString(), 'v1');
    assert.equal(bytesField(typeMeta, 2)?.toString(), 'Secret');
    const object = parseProtobuf(bytesField(unknown, 2) ?? Buffer.alloc(0));
    const metadata = parseProtobuf(bytesField(object, 1) ?? Buffer.alloc(0));
    assert.equal(bytesField(metadata, 1)?.toString(), 'named');
    for (const unset of [3, 4]) assert.equal(bytesField(unknown, unset)?.toString() ?? '', '');
  },
  '1/Protobuf envelope/2 an object is created from an envelope': async server => {
    const secrets = await freshCollection(server);
    const metadata = protobufMessage([[1, 'from-protobuf']]);
    const entry = protobufMessage([
      [1, 'k'],
      [2, 'value'],
    ]);
    const raw = protobufMessage([
      [1, metadata],
      [2, entry],
    ]);
    const body = protobufEnvelope('v1', 'Secret', raw);
    const created = await server.expect(201, 'POST', secrets, { body, contentType: protobufType });
    assert.equal(created.at('data', 'k'), Buffer.from('value').toString('base64'));
    const wrong = await server.request('POST', secrets, {
      body: protobufEnvelope('v1', 'ConfigMap', raw),
      contentType: protobufType,
    });
    assertRefused(wrong, 400, 'BadRequest');
  },
};
