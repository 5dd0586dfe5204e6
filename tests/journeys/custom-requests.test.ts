import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ApiServer, Call } from './api-server.ts';
import { createDefinition, definitionsPath, establish } from './custom-widget.ts';
import { shareApiServer } from './shared-server.ts';

const free = { type: 'object', 'x-cluster-preserve-unknown-fields': true };
const integer = { type: 'integer' };
const group = 'requests.example.com';
const root = `/apis/${group}/v1`;
const path = `${root}/namespaces/custom-requests/noxus`;
const strategic = { 'Content-Type': 'application/strategic-merge-patch+json' };
const merge = { 'Content-Type': 'application/merge-patch+json' };

let server: ApiServer;

function noxu(name: string, more: object = {}): Record<string, unknown> {
  return { apiVersion: `${group}/v1`, kind: 'Noxu', metadata: { name }, spec: { replicas: 1 }, ...more };
}

/** A body for the methods that have one. */
function createCall(method: string, name: string): Call {
  return method === 'GET' || method === 'DELETE' ? {} : { body: noxu(name) };
}

before(async () => {
  server = await shareApiServer();
  await server.namespace('custom-requests');
  const schema = {
    type: 'object',
    properties: { spec: { ...free, properties: { replicas: integer } }, status: free },
  };
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  await establish(
    server,
    createDefinition('noxus', 'Noxu', schema, { group, version: { subresources: { scale, status: {} } } }),
  );
  await establish(
    server,
    createDefinition('globals', 'Global', { type: 'object' }, { group, scope: 'Cluster' }),
  );
  const created = await server.call('POST', path, { body: noxu('a') });
  assert.equal(created.code, 201, created.text);
});
after(() => server[Symbol.asyncDispose]());

describe('a path without such a resource is answered with a plain page', () => {
  const absent: [method: string, path: string][] = [
    ['POST', `${root}/noxus`],
    ['DELETE', `${root}/noxus`],
    ['PUT', `${root}/noxus`],
    ['PATCH', `${root}/noxus`],
    ['GET', `${root}/noxus/a`],
    ['GET', `${root}/namespaces/custom-requests/globals`],
    ['POST', `${root}/namespaces/custom-requests/globals`],
    ['GET', `${root}/namespaces/custom-requests/globals/a`],
  ];
  for (const [method, url] of absent)
    test(`${method} ${url}`, async () => {
      const { code, text } = await server.call(method, url, createCall(method, 'b'));
      assert.deepEqual([code, text.trim()], [404, '404 page not found']);
    });

  test('lists and watches of all namespaces are served', async () => {
    assert.equal((await server.call('GET', `${root}/noxus`)).json.items.length, 1);
    assert.equal((await server.call('GET', `${root}/globals`)).code, 200);
  });
});

describe('an unsupported method is a Status that names the resource', () => {
  const refused: [method: string, path: string, verb: string][] = [
    ['POST', `${path}/a`, 'create'],
    ['POST', `${path}/a/status`, 'create'],
    ['POST', `${path}/a/scale`, 'create'],
    ['DELETE', `${path}/a/status`, 'delete'],
    ['DELETE', `${path}/a/scale`, 'delete'],
  ];
  for (const [method, url, verb] of refused)
    test(`${method} ${url}`, async () => {
      const { code, json } = await server.call(method, url, createCall(method, 'a'));
      assert.equal(code, 405);
      assert.deepEqual(json.details, { group, kind: 'noxus' });
      assert.equal(json.message, `${verb} is not supported on resources of kind "noxus.${group}"`);
    });

  test('an unknown subresource is a Status that names the object', async () => {
    for (const method of ['GET', 'POST', 'PUT']) {
      const { code, json } = await server.call(method, `${path}/a/other`, createCall(method, 'a'));
      assert.deepEqual([code, json.details], [404, { name: 'a', group, kind: 'noxus' }]);
    }
  });

  test('an update or patch of a collection is refused without a name', async () => {
    for (const [method, url] of [
      ['PUT', path],
      ['PATCH', path],
      ['PUT', `${root}/globals`],
    ] as const) {
      const { code, json } = await server.call(method, url, { body: noxu('a') });
      assert.deepEqual([code, json.reason], [400, 'BadRequest'], `${method} ${url}`);
    }
  });
});

test('no path of a custom object accepts a strategic merge patch', async () => {
  for (const subresource of ['', '/status', '/scale']) {
    const patch = { headers: strategic, body: { spec: { replicas: 2 } } };
    const { code, json } = await server.call('PATCH', `${path}/a${subresource}`, patch);
    assert.deepEqual([code, json.reason], [415, 'UnsupportedMediaType'], subresource);
    assert.doesNotMatch(json.message, /strategic/);
  }
  const untold = await server.call('PATCH', `${path}/a`, {
    headers: { 'Content-Type': 'text/plain' },
    body: {},
  });
  assert.equal(untold.code, 415);
  assert.doesNotMatch(untold.json.message, /strategic/);
  const scaled = await server.call('PATCH', `${path}/a/scale`, {
    headers: merge,
    body: { spec: { replicas: 1 } },
  });
  assert.equal(scaled.code, 200, scaled.text);
});

describe('an object without its kind or version', () => {
  for (const [key, values] of [
    ['kind', [undefined, null, '', 5]],
    ['apiVersion', [undefined, null, '', 5]],
  ] as const)
    test(`without ${key} is a bad request`, async () => {
      const { json } = await server.call('GET', `${path}/a`);
      for (const value of values) {
        const body = (name: string) => ({ ...noxu(name), metadata: json.metadata, [key]: value });
        for (const [method, url, sent] of [
          ['POST', path, { ...noxu('new'), [key]: value }],
          ['PUT', `${path}/a`, body('a')],
          ['PUT', `${path}/a/status`, body('a')],
        ] as const) {
          const answer = await server.call(method, url, { body: sent });
          assert.deepEqual(
            [answer.code, answer.json.reason],
            [400, 'BadRequest'],
            `${method} ${url} ${value}`,
          );
        }
      }
    });

  test('cannot be made by a patch', async () => {
    for (const key of ['kind', 'apiVersion']) {
      const answer = await server.call('PATCH', `${path}/a`, { headers: merge, body: { [key]: null } });
      assert.equal(answer.code, 422, answer.text);
      assert.deepEqual(
        answer.json.details.causes.map(cause => cause.field),
        ['patch'],
      );
    }
  });

  test('is accepted for built-in kinds', async () => {
    const { code } = await server.call('POST', '/api/v1/namespaces/custom-requests/configmaps', {
      body: { metadata: { name: 'bare' } },
    });
    assert.equal(code, 201);
    const scale = await server.call('PUT', `${path}/a/scale`, {
      body: { metadata: { name: 'a' }, spec: { replicas: 1 } },
    });
    assert.equal(scale.code, 200, scale.text);
  });
});

test('a Scale as a Table has the columns of a Scale', async () => {
  const table = { headers: { Accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } };
  await server.call('POST', path, { body: noxu('scaled', { spec: { replicas: 3 } }) });
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'scaled' },
    spec: {
      replicas: 3,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  };
  const deployments = '/apis/apps/v1/namespaces/custom-requests/deployments';
  assert.equal((await server.call('POST', deployments, { body: deployment })).code, 201);
  for (const url of [`${path}/scaled/scale`, `${deployments}/scaled/scale`]) {
    const { json } = await server.call('GET', url, table);
    assert.deepEqual(
      json.columnDefinitions.map(({ name }) => name),
      ['Name', 'Desired', 'Available', 'Age'],
    );
    assert.deepEqual(json.rows[0]?.cells.slice(0, 3), ['scaled', 3, 0]);
  }
});

test('discovery lists the status before the scale', async () => {
  const { json } = await server.call('GET', root);
  assert.deepEqual(
    json.resources.map(({ name }) => name).filter(name => name.startsWith('noxus')),
    ['noxus', 'noxus/status', 'noxus/scale'],
  );
});

test('a conflicting generated name is answered with a time to retry', async () => {
  const named = await server.call('POST', path, { body: noxu('a') });
  assert.equal(named.json.details.retryAfterSeconds, undefined);
  for (const [url, kind] of [
    [path, {}],
    [
      '/api/v1/namespaces/custom-requests/configmaps',
      { apiVersion: 'v1', kind: 'ConfigMap', spec: undefined },
    ],
  ] as const) {
    const body = noxu('g', { metadata: { name: 'g', generateName: 'g-' }, ...kind });
    assert.equal((await server.call('POST', url, { body })).code, 201);
    const { code, json, headers } = await server.call('POST', url, { body });
    assert.deepEqual([code, json.reason, json.details.retryAfterSeconds], [409, 'AlreadyExists', 1]);
    assert.equal(headers['retry-after'], '1');
  }
});

test('an object that violates an enumeration and a rule is refused for both', async () => {
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { colour: { type: 'string', enum: ['red'] }, size: integer },
        'x-cluster-validations': [{ rule: 'self.size > 1' }],
      },
    },
  };
  await establish(server, createDefinition('ruleds', 'Ruled', schema, { group }));
  const post = async (spec: object) => {
    const body = { apiVersion: `${group}/v1`, kind: 'Ruled', metadata: { name: 'r' }, spec };
    const { code, json } = await server.call('POST', `${root}/namespaces/custom-requests/ruleds`, { body });
    return [code, ...json.details.causes.map(({ reason, field }) => `${reason} ${field}`)];
  };
  assert.deepEqual(await post({ colour: 'blue', size: 1 }), [
    422,
    'FieldValueNotSupported spec.colour',
    'FieldValueInvalid spec',
  ]);
  // Rules are not asked about values of another type.
  assert.deepEqual(await post({ colour: 'red', size: 'x' }), [
    422,
    'FieldValueTypeInvalid spec.size',
    'FieldValueInvalid <nil>',
  ]);
});

test('watches get the deletion of each object of a deleted definition before they end', async () => {
  const version = (name: string, storage: boolean) => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: free },
  });
  const versions = [version('v1', true), version('v2', false)];
  await establish(server, createDefinition('watcheds', 'Watched', {}, { group, versions }));
  const count = 30;
  for (let i = 0; i < count; i++) {
    const body = {
      apiVersion: `${group}/v1`,
      kind: 'Watched',
      metadata: { name: `w${i}`, labels: { odd: String(i % 2) } },
    };
    assert.equal(
      (await server.call('POST', `${root}/namespaces/custom-requests/watcheds`, { body })).code,
      201,
    );
  }
  const table = { headers: { Accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } };
  const asked: [path: string, call: Call, objects: number][] = [
    [`${root}/namespaces/custom-requests/watcheds`, {}, count],
    [`${root}/watcheds`, {}, count],
    [`${root}/watcheds`, table, count],
    [`/apis/${group}/v2/watcheds`, {}, count],
    [`${root}/watcheds?labelSelector=odd%3D1`, {}, count / 2],
    [`${root}/watcheds?fieldSelector=metadata.name%3Dw3`, {}, 1],
  ];
  const watches = [];
  for (const [url, call, objects] of asked) {
    const stream = await server.watch(`${url}${url.includes('?') ? '&' : '?'}watch=1`, call);
    watches.push({ url, stream, objects });
  }
  const deleted = await server.call('DELETE', `${definitionsPath}/watcheds.${group}`);
  assert.equal(deleted.code, 200, deleted.text);
  for (const { url, stream, objects } of watches) {
    await stream.ended;
    const types = stream.events.map(event => event.type);
    assert.deepEqual(types, [...Array(objects).fill('ADDED'), ...Array(objects).fill('DELETED')], url);
  }
  assert.equal((await server.call('GET', `${root}/watcheds`)).code, 404);
});
