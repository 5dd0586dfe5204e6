import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { copyJson, type JsonObject, type JsonValue, readJson } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import { decodeProtobuf, encodeProtobuf } from '@binnacle/codecs';
import type { ConformanceServer, Sent } from '../../conformance/drivers/conformance-server.ts';
import { until } from '../api-server.ts';
import { createDefinition, definitionsPath } from '../custom-widget.ts';
import { objectsAt } from '../setup/json-parts.ts';
import { configurationsPath, patched } from '../webhook-journey.ts';
import { startWebhooks, type WebhookServer } from '../webhook-server.ts';

const group = 'numbers.example.com';
const greatest = 9223372036854775807n;
const least = -9223372036854775808n;
/** Two neighbours that are one double. */
const odd = 9007199254740993n;
const even = 9007199254740992n;

const integer = { type: 'integer' };
const long = { type: 'integer', format: 'int64' };
const preserved = { 'x-cluster-preserve-unknown-fields': true };

const specSchema = {
  type: 'object',
  ...preserved,
  properties: {
    id: integer,
    offset: long,
    port: { 'x-cluster-int-or-string': true },
    anything: preserved,
    among: { type: 'integer', enum: [odd] },
    bounded: { type: 'integer', minimum: 9007199254740992, multipleOf: 3 },
    standard: { type: 'integer', default: odd },
    replicas: integer,
    set: { type: 'array', 'x-cluster-list-type': 'set', items: integer },
    keyed: {
      type: 'array',
      'x-cluster-list-type': 'map',
      'x-cluster-list-map-keys': ['id'],
      items: { type: 'object', required: ['id'], properties: { id: integer, name: { type: 'string' } } },
    },
  },
  'x-cluster-validations': [
    { rule: `!has(self.id) || self.id != ${even}`, message: 'the id is the even neighbour' },
    { rule: '!has(self.offset) || !has(self.follower) || self.offset < self.follower' },
  ],
};

function ledgers(hooks: WebhookServer) {
  const version = (name: string) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { ...specSchema, properties: { ...specSchema.properties, follower: integer } },
          status: { type: 'object', properties: { seen: integer, replicas: integer } },
        },
      },
    },
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    },
    additionalPrinterColumns: [
      { name: 'Id', type: 'integer', jsonPath: '.spec.id' },
      { name: 'Anything', type: 'string', jsonPath: '.spec.anything' },
      { name: 'Found', type: 'string', jsonPath: `.spec.keyed[?(@.id==${odd})].name` },
    ],
  });
  const definition = createDefinition(
    'ledgers',
    'Ledger',
    {},
    { group, versions: [version('v1'), version('v2')] },
  );
  const webhook = {
    clientConfig: { url: `${hooks.url}/convert`, caBundle: hooks.caBundle },
    conversionReviewVersions: ['v1'],
  };
  return { ...definition, spec: { ...definition.spec, conversion: { strategy: 'Webhook', webhook } } };
}

/** Integers that no double holds, written and read in every way that there is. */
export function registerWholeNumbersJourney(getServer: () => ConformanceServer): void {
  suite('integers of 64 bits', () => {
    let server: ConformanceServer;
    let hooks: WebhookServer;
    let namespace: string;

    const path = (name = '', version = 'v1') =>
      `/apis/${group}/${version}/namespaces/${namespace}/ledgers${name === '' ? '' : `/${name}`}`;
    const ledger = (name: string, spec: JsonObject, version = 'v1') => ({
      apiVersion: `${group}/${version}`,
      kind: 'Ledger',
      metadata: { name },
      spec,
    });
    const inUse: JsonObject = {
      id: odd,
      offset: greatest,
      port: least,
      anything: { deep: [odd, -odd, { n: greatest }] },
      undeclared: [least],
      among: odd,
      standard: odd,
    };
    const merge = (body: unknown): Sent => ({ body, contentType: 'application/merge-patch+json' });
    const operations = (...body: JsonObject[]): Sent => ({
      body,
      contentType: 'application/json-patch+json',
    });
    const apply = (body: unknown): Sent => ({ body, contentType: 'application/apply-patch+yaml' });

    before(async () => {
      server = getServer();
      namespace = await server.namespace();
      hooks = await startWebhooks({
        '/convert': request => (response, review) => {
          const objects = objectsAt(request, 'objects');
          const convertedObjects = objects.map(object => ({
            ...object,
            apiVersion: request['desiredAPIVersion'] ?? null,
          }));
          const answer = { uid: request['uid'] ?? null, result: { status: 'Success' }, convertedObjects };
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ ...review, request: null, response: answer }));
        },
        '/mutate': () => patched({ op: 'add', path: '/spec/stamped', value: odd }),
        '/validate': () => ({ allowed: true }),
      });
      await server.expect(201, 'POST', definitionsPath, { body: ledgers(hooks) });
      for (const gateway of server.gateways.keys())
        await until(
          'ledgers are served',
          async () => (await server.request('GET', path(), { gateway })).code === 200,
        );
    });
    after(() => hooks?.[Symbol.asyncDispose]());

    /** Reads an object from every gateway, in both versions, as JSON and YAML, alone and in a list. */
    async function assertStored(name: string, spec: JsonObject): Promise<void> {
      for (const gateway of server.gateways.keys())
        for (const version of ['v1', 'v2']) {
          const alone = await server.expect(200, 'GET', path(name, version), { gateway });
          assert.deepEqual(alone.at('spec'), spec);
          const list = await server.expect(
            200,
            'GET',
            `${path('', version)}?fieldSelector=metadata.name=${name}`,
            {
              gateway,
            },
          );
          assert.deepEqual(list.at('items', 0, 'spec'), spec);
          const yaml = await server.expect(200, 'GET', path(name, version), {
            gateway,
            accept: 'application/yaml',
          });
          for (const number of JSON.stringify(spec).match(/-?\d{16,}/g) ?? [])
            assert.ok(yaml.text.includes(` ${number}\n`), `${number} in ${yaml.text}`);
        }
    }

    test('are kept in defaults and enumerations of a definition', async () => {
      const { text } = await server.expect(200, 'GET', `${definitionsPath}/ledgers.${group}`);
      assert.ok(text.includes(`"default":${odd}`), text);
      assert.ok(text.includes(`"enum":[${odd}]`), text);
    });

    for (const [what, sent] of [
      ['JSON', (object: JsonObject) => ({ body: object })],
      ['YAML', (object: JsonObject) => ({ body: encodeYaml(object), contentType: 'application/yaml' })],
      [
        'JSON in the other version',
        (object: JsonObject) => ({ body: { ...object, apiVersion: `${group}/v2` } }),
      ],
    ] as const)
      test(`are kept in an object that is sent as ${what}, in creations, updates and watches`, async () => {
        const name = what.toLowerCase().replaceAll(' ', '-');
        const version = what.endsWith('version') ? 'v2' : 'v1';
        const from = (await server.expect(200, 'GET', path())).at('metadata', 'resourceVersion');
        const watches = await Promise.all(
          [...server.gateways.keys()].map(gateway =>
            server.watch(
              `${path('', 'v2')}?watch=1&resourceVersion=${from}&fieldSelector=metadata.name=${name}`,
              { gateway },
            ),
          ),
        );
        try {
          const { standard: _, ...spec } = inUse;
          const created = await server.expect(201, 'POST', path('', version), sent(ledger(name, spec)));
          assert.deepEqual(created.at('spec'), inUse);
          await assertStored(name, inUse);
          const next = { ...inUse, offset: greatest - 1n, anything: [odd, even], follower: greatest };
          const metadata = { name, resourceVersion: created.at('metadata', 'resourceVersion') ?? null };
          const put = await server.expect(
            200,
            'PUT',
            path(name, version),
            sent({ ...ledger(name, next), metadata }),
          );
          assert.deepEqual(put.at('spec'), next);
          await assertStored(name, next);
          for (const watch of watches) {
            await watch.heard(2);
            assert.deepEqual(
              watch.events.map(event => event.at('spec')),
              [inUse, next],
            );
          }
        } finally {
          for (const watch of watches) watch[Symbol.dispose]();
        }
      });

    test('are kept by patches of every type, subresources and rules', async () => {
      const spec = { ...copyJson(inUse), replicas: 1 };
      await server.expect(201, 'POST', path(), { body: ledger('patched', spec) });
      const merged = await server.expect(200, 'PATCH', path('patched'), merge({ spec: { offset: odd } }));
      assert.equal(merged.at('spec', 'offset'), odd);
      await server.expect(
        422,
        'PATCH',
        path('patched'),
        operations({ op: 'test', path: '/spec/offset', value: even }),
      );
      const changed = await server.expect(
        200,
        'PATCH',
        path('patched'),
        operations(
          { op: 'test', path: '/spec/offset', value: odd },
          { op: 'copy', from: '/spec/port', path: '/spec/copied' },
          { op: 'replace', path: '/spec/offset', value: least },
        ),
      );
      assert.deepEqual([changed.at('spec', 'copied'), changed.at('spec', 'offset')], [least, least]);
      for (const wrong of [{ id: even }, { among: even }, { offset: greatest, follower: greatest }])
        await server.expect(422, 'PATCH', path('patched'), merge({ spec: wrong }));
      for (const [bounded, code] of [
        [odd, 200],
        [even, 422],
        [-odd, 422],
      ] as const)
        await server.expect(code, 'PATCH', path('patched'), merge({ spec: { bounded } }));
      const status = await server.expect(
        200,
        'PATCH',
        `${path('patched')}/status`,
        merge({ status: { seen: odd } }),
      );
      assert.equal(status.at('status', 'seen'), odd);
      const scaled = await server.expect(
        200,
        'PATCH',
        `${path('patched')}/scale`,
        merge({ spec: { replicas: 3 } }),
      );
      assert.equal(scaled.at('spec', 'replicas'), 3);
      await assertStored('patched', {
        ...inUse,
        offset: least,
        copied: least,
        bounded: odd,
        replicas: 3,
      });
    });

    test('distinguish keys and values of managed fields that differ by one', async () => {
      const applied = (manager: string, spec: JsonObject) =>
        server.request('PATCH', `${path('applied')}?fieldManager=${manager}`, apply(ledger('applied', spec)));
      const first = await applied('a', { set: [odd, even], keyed: [{ id: odd, name: 'odd' }], offset: odd });
      assert.equal(first.code, 201, first.text);
      const fields = JSON.stringify(first.at('metadata', 'managedFields'));
      for (const key of [`v:${odd}`, `v:${even}`, JSON.stringify(`k:{"id":${odd}}`)])
        assert.ok(fields.includes(key), fields);
      const second = await applied('b', { set: [even], keyed: [{ id: even, name: 'even' }], offset: odd });
      assert.equal(second.code, 200, second.text);
      assert.deepEqual(second.at('spec', 'set'), [odd, even]);
      const conflict = await applied('b', { offset: even });
      assert.equal(conflict.code, 409, conflict.text);
      const withdrawn = await applied('a', { offset: odd });
      assert.deepEqual(withdrawn.at('spec', 'set'), [even]);
      assert.deepEqual(withdrawn.at('spec', 'keyed'), [{ id: even, name: 'even' }]);
      const before = withdrawn.at('metadata', 'resourceVersion');
      assert.equal((await applied('a', { offset: odd })).at('metadata', 'resourceVersion'), before);
      const twice = await server.request('POST', path(), { body: ledger('twice', { set: [odd, odd] }) });
      assert.equal(twice.code, 422, twice.text);
    });

    test('are shown in a Table', async () => {
      const keyed = [
        { id: even, name: 'even' },
        { id: odd, name: 'odd' },
      ];
      await server.expect(201, 'POST', path(), { body: ledger('shown', { id: odd, anything: odd, keyed }) });
      const accept = 'application/json;as=Table;v=v1;g=meta.cluster.io';
      const table = await server.expect(200, 'GET', path('shown'), { accept });
      assert.deepEqual(table.at('rows', 0, 'cells'), ['shown', odd, String(odd), 'odd']);
    });

    test('can be read and set by admission webhooks', async () => {
      const webhook = (at: string) => ({
        name: `${at}.example.com`,
        clientConfig: { url: `${hooks.url}/${at}`, caBundle: hooks.caBundle },
        rules: [{ operations: ['*'], apiGroups: [group], apiVersions: ['v2'], resources: ['ledgers'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      });
      const kinds = { mutating: 'mutate', validating: 'validate' } as const;
      for (const [kind, at] of Object.entries(kinds))
        await server.expect(201, 'POST', configurationsPath(kind as keyof typeof kinds), {
          body: { metadata: { name: 'numbers.example.com' }, webhooks: [webhook(at)] },
        });
      try {
        for (const gateway of server.gateways.keys())
          await until('webhooks are asked', async () => {
            const before = hooks.calls.length;
            await server.expect(201, 'POST', `${path()}?dryRun=All`, { body: ledger('probe', {}), gateway });
            return hooks.calls.slice(before).some(call => call.path.startsWith('/validate'));
          });
        const created = await server.expect(201, 'POST', path(), { body: ledger('reviewed', inUse) });
        assert.equal(created.at('spec', 'stamped'), odd);
        const { review } = hooks.calls.findLast(call => call.path.startsWith('/validate')) ?? { review: {} };
        const shown = (review as { request?: { object?: { spec?: JsonValue } } }).request?.object?.spec;
        assert.deepEqual(shown, { ...inUse, stamped: odd });
        await assertStored('reviewed', { ...inUse, stamped: odd });
      } finally {
        for (const kind of Object.keys(kinds))
          await server.expect(
            200,
            'DELETE',
            `${configurationsPath(kind as keyof typeof kinds)}/numbers.example.com`,
          );
      }
    });

    test('are kept in built-in fields of 64 bits and of raw JSON, in JSON, YAML and protobuf', async () => {
      const definition = createTypeRegistry().kind('apps', 'v1', 'ControllerRevision');
      assert.ok(definition);
      const revisions = `/apis/apps/v1/namespaces/${namespace}/controllerrevisions`;
      const protobuf = 'application/vnd.cluster.protobuf';
      const revision = (name: string) => ({
        apiVersion: 'apps/v1',
        kind: 'ControllerRevision',
        metadata: { name },
        revision: greatest,
        data: { n: odd, list: [least] },
      });
      const bodies: Readonly<Record<string, Sent>> = {
        json: { body: revision('json') },
        yaml: { body: encodeYaml(revision('yaml')), contentType: 'application/yaml' },
        protobuf: { body: encodeProtobuf(definition, revision('protobuf')), contentType: protobuf },
      };
      for (const [name, sent] of Object.entries(bodies)) {
        await server.expect(201, 'POST', revisions, sent);
        for (const gateway of server.gateways.keys()) {
          const read = await server.expect(200, 'GET', `${revisions}/${name}`, { gateway });
          assert.equal(read.at('revision'), greatest);
          assert.deepEqual(read.at('data'), revision(name).data);
          const { bytes } = await server.expect(200, 'GET', `${revisions}/${name}`, {
            gateway,
            accept: protobuf,
          });
          const { object } = decodeProtobuf(bytes, definition.message);
          assert.equal(object['revision'], greatest);
          assert.deepEqual(object['data'], revision(name).data);
        }
        const patch = { body: { revision: odd }, contentType: 'application/strategic-merge-patch+json' };
        assert.equal((await server.expect(200, 'PATCH', `${revisions}/${name}`, patch)).at('revision'), odd);
      }
    });

    const beyond = ['9223372036854775808', '-9223372036854775809', '1e19', '1.5'];
    test('are required in declared fields, and larger numbers elsewhere are doubles', async () => {
      for (const number of beyond) {
        const body = (spec: string) =>
          `{"apiVersion":"${group}/v1","kind":"Ledger","metadata":{"generateName":"b"},"spec":${spec}}`;
        for (const field of ['id', 'offset', 'port'])
          await server.expect(422, 'POST', path(), { body: body(`{"${field}":${number}}`) });
        const kept = await server.expect(201, 'POST', path(), { body: body(`{"anything":${number}}`) });
        assert.equal(Number(kept.at('spec', 'anything')), Number(number));
      }
      for (const number of ['1e3', '1.0', '5E0'])
        await server.expect(201, 'POST', path(), {
          body: `{"apiVersion":"${group}/v1","kind":"Ledger","metadata":{"generateName":"b"},"spec":{"id":${number}}}`,
        });
    });

    test('floats in integer fields of built-in kinds are refused in JSON, whatever their value', async () => {
      const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
      const deployment = (name: string, replicas: string) =>
        JSON.stringify({
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name },
          spec: {
            replicas: 'REPLICAS',
            selector: { matchLabels: { a: 'b' } },
            template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
          },
        }).replace('"REPLICAS"', replicas);
      await server.expect(201, 'POST', deployments, { body: deployment('floats', '1') });
      const one = `${deployments}/floats`;
      const createPatch = (type: string, body: string) => ({ body, contentType: `application/${type}` });
      const answers: readonly (readonly [code: number, method: string, path: string, sent: Sent])[] = [
        [400, 'POST', deployments, { body: deployment('more', '1e3') }],
        [400, 'POST', deployments, { body: deployment('more', '1.0') }],
        [400, 'PUT', one, { body: deployment('floats', '2.0') }],
        [400, 'PUT', `${one}/scale`, { body: '{"metadata":{"name":"floats"},"spec":{"replicas":2.0}}' }],
        [422, 'PATCH', one, createPatch('merge-patch+json', '{"spec":{"replicas":2.0}}')],
        [
          422,
          'PATCH',
          one,
          createPatch('json-patch+json', '[{"op":"add","path":"/spec/replicas","value":2e0}]'),
        ],
        [200, 'PATCH', one, createPatch('strategic-merge-patch+json', '{"spec":{"replicas":2.0}}')],
        [201, 'POST', deployments, { ...createPatch('yaml', deployment('more', '1e3')) }],
        [
          200,
          'PATCH',
          `${one}?fieldManager=f&force=true`,
          createPatch('apply-patch+yaml', deployment('floats', '3.0')),
        ],
      ];
      for (const [code, method, at, sent] of answers) {
        const answer = await server.request(method, at, sent);
        assert.equal(answer.code, code, `${method} ${at} ${sent.body}: ${answer.text}`);
      }
      assert.equal((await server.expect(200, 'GET', one)).at('spec', 'replicas'), 3);
    });

    test('a number too large for a double is 400 in every body', async () => {
      await server.expect(201, 'POST', path(), { body: ledger('finite', {}) });
      await server.expect(201, 'POST', `/api/v1/namespaces/${namespace}/configmaps`, {
        body: { metadata: { name: 'finite' } },
      });
      const maps = `/api/v1/namespaces/${namespace}/configmaps`;
      for (const number of ['1E400', '-1E400', '1e+309', '9'.repeat(400)]) {
        const head = `"apiVersion":"${group}/v1","kind":"Ledger","metadata":{"name":"finite"}`;
        const object = `{${head},"spec":{"anything":[${number}]}}`;
        const patch = `{"spec":{"anything":{"a":${number}}}}`;
        const createPatch = (type: string) => ({ contentType: `application/${type}` });
        const refused: readonly (readonly [method: string, path: string, sent: Sent])[] = [
          ['POST', path(), { body: object }],
          ['POST', path(), { body: object, contentType: 'application/yaml' }],
          ['PUT', path('finite'), { body: object }],
          ['PATCH', path('finite'), { body: patch, ...createPatch('merge-patch+json') }],
          ['PATCH', `${path('finite')}/status`, { body: patch, ...createPatch('merge-patch+json') }],
          [
            'PATCH',
            path('finite'),
            { body: `[{"op":"add","path":"/spec/a","value":${number}}]`, ...createPatch('json-patch+json') },
          ],
          ['PATCH', `${path('finite')}?fieldManager=f`, { body: object, ...createPatch('apply-patch+yaml') }],
          [
            'PATCH',
            `${maps}/finite`,
            { body: `{"data":{"a":${number}}}`, ...createPatch('strategic-merge-patch+json') },
          ],
          ['DELETE', path('finite'), { body: `{"gracePeriodSeconds":${number}}` }],
          ['POST', definitionsPath, { body: definitionWithDefault(number) }],
        ];
        for (const [method, at, sent] of refused) {
          const answer = await server.request(method, at, sent);
          assert.equal(answer.code, 400, `${method} ${at} ${sent.contentType}: ${answer.text}`);
        }
      }
      await assertStored('finite', { standard: odd });
    });
  });
}

function definitionWithDefault(number: string): string {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { n: { type: 'number', default: 'NUMBER' } } } },
  };
  const definition = createDefinition('infinities', 'Infinity', schema, { group });
  return JSON.stringify(definition).replace('"NUMBER"', number);
}

/** YAML in flow style, without quotes where numbers are: JSON behind a line of its own. */
function encodeYaml(object: JsonObject): string {
  const text = `# YAML\n${JSON.stringify(object, null, 1)}\n`;
  assert.deepEqual(readJson(text.slice(text.indexOf('{'))), object);
  return text;
}
