import assert from 'node:assert/strict';
import { unauthorizedStatus } from '../journeys/setup/unauthorized-status.ts';
import { assertRefused, createAll, freshCollection, readVersion, touch } from './drivers/collections.ts';
import type { ConformanceTests, Sent } from './drivers/conformance-server.ts';
import { defineMarks } from './server-side-apply/custom-definitions.ts';

const names = ['a', 'b', 'c'];
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };

interface Operation extends Sent {
  readonly verb: string;
  readonly method: string;
  readonly path: string;
}

/** One request for each operation on a collection of Secrets. */
function operationsOn(collection: string): Operation[] {
  const item = `${collection}/a`;
  const contentType = 'application/apply-patch+yaml';
  return [
    { verb: 'get', method: 'GET', path: item },
    { verb: 'list', method: 'GET', path: collection },
    { verb: 'watch', method: 'GET', path: `${collection}?watch=1` },
    { verb: 'create', method: 'POST', path: collection, body: secret },
    { verb: 'update', method: 'PUT', path: item, body: secret },
    { verb: 'patch', method: 'PATCH', path: item, body: {}, contentType: 'application/merge-patch+json' },
    { verb: 'patch', method: 'PATCH', path: `${item}?fieldManager=m`, body: secret, contentType },
    { verb: 'delete', method: 'DELETE', path: item },
    { verb: 'deletecollection', method: 'DELETE', path: collection },
  ];
}

/** 1, "Errors". */
export const errorTests: ConformanceTests = {
  async '1/Errors/400a unknown and duplicate fields under Strict'(server) {
    const collection = `${await freshCollection(server)}?fieldValidation=Strict`;
    for (const body of [
      '{"metadata":{"name":"a"},"nothing":1}',
      '{"metadata":{"name":"a"},"type":"x","type":"y"}',
    ])
      assertRefused(await server.request('POST', collection, { body }), 400, 'BadRequest');
  },

  async '1/Errors/400b a token, another version and no match mode'(server) {
    const collection = await freshCollection(server);
    const version = await createAll(server, collection, names);
    const first = await server.expect(200, 'GET', `${collection}?limit=1`);
    const token = encodeURIComponent(String(first.at('metadata', 'continue')));
    const next = `${collection}?limit=1&continue=${token}`;
    assertRefused(await server.request('GET', `${next}&resourceVersion=${version}`), 400, 'BadRequest');
    for (const allowed of ['', '&resourceVersion=0']) {
      const { at } = await server.expect(200, 'GET', next + allowed);
      assert.equal(at('items', 0, 'metadata', 'name'), 'b');
    }
  },

  async '1/Errors/401a no operation gets past a token that is not valid'(server) {
    const collection = await freshCollection(server);
    await createAll(server, collection, ['a']);
    const others = ['/api', '/apis/apps/v1', '/version', '/metrics'].map(path => ({ method: 'GET', path }));
    for (const { method, path, ...sent } of [...operationsOn(collection), ...others]) {
      const headers = { Authorization: 'Bearer no-such-token' };
      const answer = await server.request(method, path, { ...sent, headers });
      assertRefused(answer, 401, 'Unauthorized');
      assert.deepEqual(answer.body, unauthorizedStatus);
    }
    assert.equal((await server.expect(200, 'GET', `${collection}/a`)).at('metadata', 'labels'), undefined);
  },

  async '1/Errors/401b whatever is wrong with the token'(server) {
    const collection = await freshCollection(server);
    const signed = ['eyJhbGciOiJSUzI1NiJ9', 'eyJpc3MiOiJodHRwczovL2Jpbm5hY2xlLmxvY2FsIn0', 'c2ln'].join('.');
    for (const token of ['unknown', 'admin-token2', 'ADMIN-TOKEN', signed]) {
      const headers = { Authorization: `Bearer ${token}` };
      assertRefused(await server.request('GET', collection, { headers }), 401, 'Unauthorized');
    }
    await server.expect(200, 'GET', collection, { headers: { Authorization: 'Bearer admin-token' } });
  },

  async '1/Errors/403 every operation is refused to whom nothing is granted'(server) {
    const collection = await freshCollection(server);
    await createAll(server, collection, ['a']);
    for (const user of ['bob', null] as const) {
      for (const { verb, method, path, ...sent } of operationsOn(collection)) {
        const answer = await server.request(method, path, { ...sent, user });
        assertRefused(answer, 403, 'Forbidden');
        assert.equal(answer.at('details', 'kind'), 'secrets', verb);
        const ofItem = path.startsWith(`${collection}/`);
        assert.equal(answer.at('details', 'name'), ofItem ? 'a' : undefined, verb);
        const message = String(answer.at('message'));
        assert.match(message, /^secrets .*is forbidden: /);
        assert.match(message, new RegExp(`cannot ${verb} resource "secrets"`));
        assert.ok(message.includes(`"${user ?? 'system:anonymous'}"`), message);
      }
    }
    await server.expect(200, 'GET', `${collection}/a`);
  },

  async '1/Errors/403 it comes before anything is said of the object or its type'(server) {
    const collection = await freshCollection(server);
    const paths = [`${collection}/no-such-secret`, '/apis/no.such.group/v1/things', '/metrics'];
    for (const path of paths)
      assertRefused(await server.request('GET', path, { user: 'bob' }), 403, 'Forbidden');
  },

  async '1/Errors/406 no media type that is asked for is served'(server) {
    const collection = await freshCollection(server);
    await createAll(server, collection, ['a']);
    const tableOfOld = 'application/json;as=Table;g=meta.cluster.io;v=v0';
    for (const accept of ['application/xml', 'text/html, image/png', tableOfOld]) {
      for (const path of [collection, `${collection}/a`, `${collection}?watch=1`])
        assertRefused(await server.request('GET', path, { accept }), 406, 'NotAcceptable');
    }
    const created = await server.request('POST', collection, {
      body: { metadata: { name: 'unseen' } },
      accept: 'application/xml',
    });
    assertRefused(created, 406, 'NotAcceptable');
    await server.expect(404, 'GET', `${collection}/unseen`);
    const fallback = 'application/xml, application/json';
    assert.equal(
      (await server.expect(200, 'GET', collection, { accept: fallback })).at('kind'),
      'SecretList',
    );
  },

  async '1/Errors/406 protobuf of a custom resource'(server) {
    const namespace = await server.namespace();
    await using definition = await defineMarks(server, { 'x-cluster-preserve-unknown-fields': true });
    const collection = `/apis/${definition.apiVersion}/namespaces/${namespace}/marks`;
    const accept = 'application/vnd.cluster.protobuf';
    // The refusal itself has the form that was asked for.
    const refused = await server.expect(406, 'GET', collection, { accept });
    assert.match(refused.text, /NotAcceptable/);
    const list = await server.expect(200, 'GET', collection, { accept: `${accept}, application/json` });
    assert.equal(list.at('kind'), 'MarkList');
  },

  async '1/Errors/504 get and list of a version that the store has not reached'(server) {
    const collection = await freshCollection(server);
    const version = Number(await createAll(server, collection, ['a'])) + 1_000_000_000;
    for (const path of [`${collection}/a`, collection]) {
      const answer = await server.request('GET', `${path}?resourceVersion=${version}`);
      assertRefused(answer, 504, 'Timeout');
      assert.match(String(answer.at('message')), /Too large resource version/);
      assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
      assert.equal(String(answer.at('details', 'retryAfterSeconds')), answer.headers['retry-after']);
      assert.equal(answer.at('details', 'causes', 0, 'reason'), 'ResourceVersionTooLarge');
    }
  },

  async '1/Errors/504 a version that comes while the server waits is answered'(server) {
    const collection = await freshCollection(server);
    const version = Number(await createAll(server, collection, ['a']));
    const waiting = server.expect(200, 'GET', `${collection}?resourceVersion=${version + 1}`);
    for (let written = version; written <= version; )
      written = Number(await touch(server, `${collection}/a`, `${written}`));
    assert.ok(Number(readVersion(await waiting)) > version);
  },
};
