import assert from 'node:assert/strict';
import type { JsonObject } from '@binnacle/api-objects';
import { assertRefused, createAll, freshCollection, readVersion } from './drivers/collections.ts';
import { at, type ConformanceServer, type ConformanceTests } from './drivers/conformance-server.ts';
import {
  bytesField,
  hasMagic,
  parseProtobuf,
  protobufEnvelope,
  protobufMessage,
} from './protobuf-message.ts';
import { defineMarks } from './server-side-apply/custom-definitions.ts';

const protobufType = 'application/vnd.cluster.protobuf';
const tableType = 'application/json;as=Table;g=meta.cluster.io;v=v1';

/** The path and kind of every collection that discovery says can be listed. */
async function listable(server: ConformanceServer): Promise<[path: string, kind: string][]> {
  const groups = (await server.expect(200, 'GET', '/apis')).at('groups') as readonly JsonObject[]; // A list of groups.
  const versions = groups.flatMap(group => group['versions'] as readonly JsonObject[]); // Each has versions.
  const paths = ['/api/v1', ...versions.map(version => `/apis/${version['groupVersion']}`)];
  const documents = await Promise.all(paths.map(path => server.expect(200, 'GET', path)));
  return documents.flatMap((document, index) => {
    const resources = document.at('resources') as readonly JsonObject[]; // A list of resources.
    return resources
      .filter(resource => JSON.stringify(at(resource, 'verbs')).includes('"list"'))
      .map(({ name, kind }): [string, string] => [`${paths[index]}/${name}`, String(kind)]);
  });
}

/** 1, "Content negotiation". */
export const contentNegotiationTests: ConformanceTests = {
  '1/Content negotiation/1 every type that can be listed is JSON by default': async server => {
    const collections = await listable(server);
    assert.ok(collections.length > 50);
    for (const [path, kind] of collections) {
      const sent = [{}, { accept: '*/*' }, { accept: 'application/json' }];
      const lists = await Promise.all(sent.map(each => server.expect(200, 'GET', `${path}?limit=1`, each)));
      for (const list of lists) {
        assert.equal(list.headers['content-type'], 'application/json', path);
        assert.equal(list.at('kind'), `${kind}List`, path);
      }
    }
  },
  '1/Content negotiation/1 a body without a type is JSON': async server => {
    const secrets = await freshCollection(server);
    const body = { metadata: { name: 'a' } };
    await server.expect(201, 'POST', secrets, { body, contentType: null });
    const refused = await server.request('POST', secrets, { body, contentType: 'text/plain' });
    assertRefused(refused, 415, 'UnsupportedMediaType');
  },
  '1/Content negotiation/2 protobuf is answered with protobuf': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a', 'b']);
    const answer = await server.expect(200, 'GET', secrets, { accept: protobufType });
    assert.equal(answer.headers['content-type'], protobufType);
    assert.ok(hasMagic(answer.bytes));
    const list = parseProtobuf(bytesField(parseProtobuf(answer.bytes.subarray(4)), 2) ?? Buffer.alloc(0));
    assert.equal(list.get(2)?.length, 2);
  },
  '1/Content negotiation/2 a body in protobuf needs its type': async server => {
    const secrets = await freshCollection(server);
    const raw = protobufMessage([[1, protobufMessage([[1, 'a']])]]);
    const body = protobufEnvelope('v1', 'Secret', raw);
    for (const contentType of [undefined, null])
      assertRefused(
        await server.request('POST', secrets, { body, ...(contentType === null ? { contentType } : {}) }),
        400,
        'BadRequest',
      );
    await server.expect(201, 'POST', secrets, { body, contentType: protobufType });
    assert.equal((await server.expect(200, 'GET', `${secrets}/a`)).at('metadata', 'name'), 'a');
  },
  '1/Content negotiation/3 a get and a list are Tables': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a', 'b']);
    for (const [path, rows] of [
      [secrets, 2],
      [`${secrets}/a`, 1],
    ] as const) {
      const table = await server.expect(200, 'GET', path, { accept: tableType });
      assert.equal(table.at('kind'), 'Table');
      const found = table.at('rows');
      assert.ok(Array.isArray(found) && found.length === rows, path);
    }
  },
  '1/Content negotiation/3 the events of a watch hold Tables': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    using stream = await server.watch(`${secrets}?watch=1`, { accept: tableType });
    const [event] = await stream.heard(1);
    assert.deepEqual(
      [event?.type, event?.at('kind'), event?.at('rows', 0, 'cells', 0)],
      ['ADDED', 'Table', 'a'],
    );
  },
  '1/Content negotiation/4 the first of the types that can be had': async server => {
    const secrets = await freshCollection(server);
    const version = await createAll(server, secrets, ['a']);
    const json = await server.expect(200, 'GET', `${secrets}/a`, {
      accept: 'application/xml, application/json',
    });
    assert.equal(readVersion(json), version);
    const both = `${protobufType}, application/json`;
    const protobuf = await server.expect(200, 'GET', `${secrets}/a`, { accept: both });
    assert.equal(protobuf.headers['content-type'], protobufType);
    // An access review is no Table.
    const review = await server.expect(
      201,
      'POST',
      '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews',
      {
        body: { spec: { nonResourceAttributes: { path: '/x', verb: 'get' } } },
        accept: `${tableType}, application/json`,
      },
    );
    assert.equal(review.at('kind'), 'SelfSubjectAccessReview');
  },
  '1/Content negotiation/5 an unsupported representation is 406': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    for (const accept of [
      'application/xml',
      'text/html',
      'application/json;as=Chart;g=meta.cluster.io;v=v1',
    ]) {
      for (const path of [secrets, `${secrets}/a`, `${secrets}?watch=1&timeoutSeconds=1`])
        assertRefused(await server.request('GET', path, { accept }), 406, 'NotAcceptable');
    }
    const written = await server.request('POST', secrets, {
      body: { metadata: { name: 'b' } },
      accept: 'text/html',
    });
    assertRefused(written, 406, 'NotAcceptable');
    assertRefused(await server.request('GET', `${secrets}/b`), 404, 'NotFound');
  },
  '1/Content negotiation/5, custom definitions protobuf alone is 406, with JSON besides it is JSON':
    async server => {
      await using marks = await defineMarks(server, { properties: { n: { type: 'integer' } } });
      const namespace = await server.namespace();
      const collection = `/apis/${marks.apiVersion}/namespaces/${namespace}/marks`;
      await server.expect(201, 'POST', collection, { body: marks.mark('a', { n: 1 }) });
      for (const path of [collection, `${collection}/a`]) {
        await server.expect(406, 'GET', path, { accept: protobufType });
        const json = await server.expect(200, 'GET', path, { accept: `${protobufType}, application/json` });
        assert.equal(json.headers['content-type'], 'application/json');
      }
      const raw = protobufEnvelope(marks.apiVersion, 'Mark', Buffer.alloc(0));
      const written = await server.request('POST', collection, { body: raw, contentType: protobufType });
      assertRefused(written, 415, 'UnsupportedMediaType');
    },
};
