import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AdminServer, at } from './admin-server.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server[Symbol.asyncDispose]());

/** A write of which field validation has something to say. */
interface Case {
  readonly what: string;
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly contentType: string;
  readonly body: string;
  /** The findings, in this order. */
  readonly findings: readonly string[];
  /** The stored ports, the findings notwithstanding. */
  readonly ports: readonly unknown[];
}

const json = 'application/json';
const yaml = 'application/yaml';
const [port, named] = [{ protocol: 'TCP', port: 80, targetPort: 80 }, { name: 'b' }];

const cases: readonly Case[] = [
  {
    what: 'unknown fields of a created object',
    method: 'POST',
    contentType: json,
    body: '{"metadata":{"name":"a","unk":1},"spec":{"ports":[{"port":80,"foo":{"x":1}}],"Ports":[]},"bogus":0}',
    findings: [
      'unknown field "metadata.unk"',
      'unknown field "spec.ports[0].foo"',
      'unknown field "spec.Ports"',
      'unknown field "bogus"',
    ],
    ports: [port],
  },
  {
    what: 'members of a created object that occur twice',
    method: 'POST',
    contentType: json,
    body: '{"metadata":{"name":"b","name":"a"},"spec":{"ports":[{"port":79,"port":80}]}}',
    findings: ['duplicate field "metadata.name"', 'duplicate field "spec.ports[0].port"'],
    ports: [port],
  },
  {
    what: 'an unknown field that occurs twice, with more of that kind in it',
    method: 'POST',
    contentType: json,
    body: '{"metadata":{"name":"a"},"spec":{"ports":[{"port":80}]},"foo":{"x":1,"x":2},"foo":[{"y":1,"y":1}]}',
    findings: ['unknown field "foo"'],
    ports: [port],
  },
  {
    what: 'both in YAML',
    method: 'POST',
    contentType: yaml,
    body: 'metadata:\n  name: b\n  name: a\nfoo: 1\nspec: {ports: [{port: 80}]}\n',
    findings: ['line 3: key "name" already set in map', 'unknown field "foo"'],
    ports: [port],
  },
  {
    what: 'both in an update',
    method: 'PUT',
    contentType: json,
    body: '{"metadata":{"name":"a"},"spec":{"ports":[{"port":80,"name":"a","name":"b"}],"bar":1}}',
    findings: ['unknown field "spec.bar"', 'duplicate field "spec.ports[0].name"'],
    ports: [{ ...port, ...named }],
  },
  {
    what: 'both in a merge patch',
    method: 'PATCH',
    contentType: 'application/merge-patch+json',
    body: '{"bogus":1,"spec":{"ports":[{"port":80,"name":"a","name":"b"}]}}',
    findings: ['duplicate field "spec.ports[0].name"', 'unknown field "bogus"'],
    ports: [{ ...port, ...named }],
  },
  {
    what: 'both in a strategic merge patch',
    method: 'PATCH',
    contentType: 'application/strategic-merge-patch+json',
    body: '{"spec":{"ports":[{"port":80,"name":"a","name":"b","foo":1}]}}',
    findings: ['duplicate field "spec.ports[0].name"', 'unknown field "spec.ports[0].foo"'],
    ports: [{ ...port, ...named }],
  },
  {
    what: 'members of the operations of a JSON patch, and fields of its result',
    method: 'PATCH',
    contentType: 'application/json-patch+json',
    body: '[{"op":"add","path":"/x","path":"/spec/ports/0/name","value":"b","why":1},{"op":"add","path":"/bogus","value":1}]',
    findings: [
      'json patch unknown field "[0].why"',
      'json patch duplicate field "[0].path"',
      'unknown field "bogus"',
    ],
    ports: [{ ...port, ...named }],
  },
];

const existing = { body: { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } } };

for (const { what, method, contentType, body, findings, ports } of cases) {
  test(`${what} cause a warning, nothing or a refusal, as requested`, async () => {
    const services = `${await server.namespace()}/services`;
    const path = method === 'POST' ? services : `${services}/a`;
    for (const fieldValidation of ['', '?fieldValidation=Warn', '?fieldValidation=Ignore']) {
      if (method !== 'POST') await server.expect(201, 'POST', services, existing);
      const answer = await server.send(method, path + fieldValidation, { body, contentType });
      assert.equal(answer.code, method === 'POST' ? 201 : 200, JSON.stringify(answer.body));
      assert.deepEqual(answer.warnings, fieldValidation.endsWith('Ignore') ? [] : findings);
      assert.deepEqual(at(answer.body, 'spec', 'ports'), ports);
      await server.expect(200, 'DELETE', `${services}/a`);
    }
    if (method !== 'POST') await server.expect(201, 'POST', services, existing);
    const refused = await server.send(method, `${path}?fieldValidation=Strict`, { body, contentType });
    assert.deepEqual([refused.code, refused.body['reason'], refused.warnings], [400, 'BadRequest', []]);
    assert.match(String(refused.body['message']), / cannot be handled as a Service: strict decoding error: /);
    for (const finding of findings) assert.ok(String(refused.body['message']).includes(finding), finding);
    const left = await server.send('GET', `${services}/a`);
    assert.equal(left.code, method === 'POST' ? 404 : 200);
    if (method !== 'POST') assert.deepEqual(at(left.body, 'spec', 'ports'), [port]);
  });
}

test('a valid write passes strict validation', async () => {
  const services = `${await server.namespace()}/services`;
  const strict = '?fieldValidation=Strict';
  await server.expect(201, 'POST', services + strict, existing);
  const patch = { body: { metadata: { labels: { a: 'b' } } }, contentType: 'application/merge-patch+json' };
  await server.expect(200, 'PATCH', `${services}/a${strict}`, patch);
});

test('there is one warning for each error', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const unknown = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`u${i}`, 1]));
  const { code, warnings } = await server.send('POST', maps, {
    body: { metadata: { name: 'a' }, ...unknown },
  });
  assert.deepEqual([code, warnings.length], [201, 120]);
});

test('names that need escapes in a header are received unchanged', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const body = { metadata: { name: 'a' }, 'a"b\\c': 1, grün: 1 };
  const { warnings } = await server.send('POST', maps, { body });
  const texts = warnings.map(text => Buffer.from(text, 'latin1').toString());
  assert.deepEqual(texts, ['unknown field "a\\"b\\\\c"', 'unknown field "grün"']);
});
