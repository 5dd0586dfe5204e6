import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Answer, ApiServer } from './api-server.ts';
import { createDefinition, definitionsPath, establish } from './custom-widget.ts';
import { shareApiServer } from './shared-server.ts';

const group = 'rules.example.com';
const path = `/apis/${group}/v1/namespaces/custom-rules/fleets`;
const mergePatch = { 'Content-Type': 'application/merge-patch+json' };
const integer = { type: 'integer' };
const rule = (text: string, message?: string) => ({ rule: text, ...(message && { message }) });

const schema = {
  type: 'object',
  'x-cluster-validations': [rule("self.metadata.name.startsWith('f')", 'fleets begin with f')],
  properties: {
    spec: {
      type: 'object',
      'x-cluster-validations': [
        rule('!has(self.least) || self.least <= self.most', 'least is at most most'),
        rule('self.most >= oldSelf.most'),
      ],
      properties: {
        least: integer,
        most: { type: 'integer', default: 3 },
        ships: {
          type: 'array',
          maxItems: 20,
          'x-cluster-list-type': 'map',
          'x-cluster-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string', maxLength: 20 },
              crew: {
                ...integer,
                'x-cluster-validations': [rule('self >= oldSelf', 'no one is put ashore')],
              },
            },
          },
        },
        ports: {
          type: 'object',
          maxProperties: 5,
          additionalProperties: {
            ...integer,
            'x-cluster-validations': [rule('self % 2 == 0', 'must be even')],
          },
        },
      },
    },
    status: {
      type: 'object',
      properties: { ready: { ...integer, 'x-cluster-validations': [rule('self < 9', 'ready counts')] } },
    },
  },
};

let server: ApiServer;

before(async () => {
  server = await shareApiServer();
  await server.namespace('custom-rules');
  const scale = { specReplicasPath: '.spec.most', statusReplicasPath: '.status.ready' };
  const version = { subresources: { status: {}, scale } };
  await establish(server, createDefinition('fleets', 'Fleet', schema, { group, version }));
});
after(() => server?.[Symbol.asyncDispose]());

const fleet = (name: string, spec: object) => ({
  apiVersion: `${group}/v1`,
  kind: 'Fleet',
  metadata: { name },
  spec,
});
const create = (name: string, spec: object) => server.call('POST', path, { body: fleet(name, spec) });
const patch = (name: string, body: object, subresource = '') =>
  server.call('PATCH', `${path}/${name}${subresource}`, { body, headers: mergePatch });

function assertRefused({ code, json }: Answer, ...causes: readonly string[]): void {
  assert.equal(code, 422, json.message);
  const found = json.details.causes as readonly { reason: string; field: string; message?: string }[];
  assert.deepEqual(
    found.map(({ reason, field, message }) => `${reason} ${field} ${message}`),
    causes,
  );
}

test('an object that violates a rule is refused at its path with the message of the rule', async () => {
  assert.equal((await create('fine', { least: 1, most: 2, ports: { a: 2 } })).code, 201);
  assertRefused(
    await create('fleet', { least: 4 }),
    'FieldValueInvalid spec Invalid value: "object": least is at most most',
  );
  assertRefused(
    await create('other', { ports: { a: 2, b: 3 } }),
    'FieldValueInvalid <nil> Invalid value: "object": fleets begin with f',
    'FieldValueInvalid spec.ports[b] Invalid value: "integer": must be even',
  );
  assert.equal((await server.call('GET', `${path}/fleet`)).code, 404);
});

test('transition rules run only if there is an old value', async () => {
  const ships = [
    { name: 'a', crew: 5 },
    { name: 'b', crew: 1 },
  ];
  assert.equal((await create('foremost', { most: 5, ships })).code, 201);
  assertRefused(
    await patch('foremost', { spec: { most: 4 } }),
    'FieldValueInvalid spec Invalid value: "object": failed rule: self.most >= oldSelf.most',
  );
  const turned = [
    { name: 'b', crew: 2 },
    { name: 'a', crew: 4 },
    { name: 'c', crew: 0 },
  ];
  assertRefused(
    await patch('foremost', { spec: { ships: turned } }),
    'FieldValueInvalid spec.ships[1].crew Invalid value: "integer": no one is put ashore',
  );
  assert.equal((await patch('foremost', { spec: { most: 6 } })).code, 200);
});

test('rules apply to status and scale too', async () => {
  assert.equal((await create('fast', { most: 5 })).code, 201);
  assertRefused(
    await patch('fast', { status: { ready: 9 } }, '/status'),
    'FieldValueInvalid status.ready Invalid value: "integer": ready counts',
  );
  const scaled = await patch('fast', { spec: { replicas: 1 } }, '/scale');
  assert.equal(scaled.code, 422);
  assert.match(scaled.json.message, /failed rule: self.most >= oldSelf.most/);
  assert.equal((await patch('fast', { spec: { replicas: 7 } }, '/scale')).code, 200);
});

test('an otherwise invalid object is refused with a note that its rules did not run', async () => {
  const { code, json } = await create('f', { least: 'one' });
  assert.equal(code, 422);
  assert.deepEqual(
    json.details.causes.map(({ reason, field }) => `${reason} ${field}`),
    ['FieldValueTypeInvalid spec.least', 'FieldValueInvalid <nil>'],
  );
});

const refusedRules: [what: string, node: object, cause: RegExp][] = [
  ['a field that is not there', rulesOn({ a: integer }, 'self.b > 1'), /undefined field 'b'/],
  ['what is no expression', rulesOn({ a: integer }, 'self.a >'), /Syntax error/],
  ['no yes or no', rulesOn({ a: integer }, 'self.a + 1'), /must evaluate to a bool/],
  [
    'the value before, where none is known',
    rulesOn({
      a: { type: 'array', items: { ...integer, 'x-cluster-validations': [rule('self > oldSelf')] } },
    }),
    /uncorrelatable/,
  ],
  [
    'what may cost too much',
    rulesOn(
      { a: { type: 'array', items: { type: 'array', items: { type: 'string' } } } },
      'self.a.all(x, x.all(y, self.a.all(z, z.all(w, w.contains(y)))))',
    ),
    /estimated rule cost exceeds budget by factor of more than 100x/,
  ],
];

function rulesOn(properties: object, text?: string): object {
  const validations = text === undefined ? {} : { 'x-cluster-validations': [rule(text)] };
  return { type: 'object', properties: { spec: { type: 'object', properties, ...validations } } };
}

for (const [what, root, cause] of refusedRules)
  test(`a definition whose rules use ${what} is refused`, async () => {
    const body = createDefinition('wrongs', 'Wrong', root, { group });
    const { code, json } = await server.call('POST', definitionsPath, { body });
    assert.equal(code, 422);
    assert.match(json.message, cause);
    assert.match(json.details.causes[0]?.field ?? '', /x-cluster-validations\[0\]\.rule$/);
  });
