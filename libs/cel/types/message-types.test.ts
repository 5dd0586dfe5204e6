import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { compileText } from '../check/check-expression.ts';
import { createEnvironment } from '../check/environment.ts';
import { formatType } from './format-type.ts';
import { type FieldShape, type MessageShape, typeFromMessage } from './message-types.ts';

function message(fullName: string, fields: Readonly<Record<string, FieldShape>>): MessageShape {
  const entries = Object.entries(fields).map(([name, type]) => [name, { type }] as const);
  return { fullName, typeMeta: fullName === 'v1.Ship', fields: new Map(entries) };
}

function scalar(name: Extract<FieldShape, { kind: 'scalar' }>['scalar']): FieldShape {
  return { kind: 'scalar', scalar: name };
}

const crew = message('v1.Crew', {
  name: scalar('string'),
  since: scalar('time'),
  berth: scalar('intOrString'),
});

const ship: MessageShape = message('v1.Ship', {
  built: scalar('int32'),
  length: scalar('double'),
  cargo: { kind: 'map', value: scalar('quantity') },
  crew: {
    kind: 'list',
    element: { kind: 'message', message: crew },
    listType: 'map',
    mapKeys: ['name'],
  },
  'home-ports': { kind: 'list', element: scalar('string'), listType: 'set', mapKeys: [] },
  log: { kind: 'list', element: scalar('json'), listType: 'atomic', mapKeys: [] },
});

/** A recursive message. */
const box: MessageShape = {
  fullName: 'v1.Box',
  typeMeta: false,
  get fields() {
    return new Map([['inner', { type: { kind: 'message', message: box } as const }]]);
  },
};

const environment = createEnvironment({
  variables: [
    ['ship', typeFromMessage(ship)],
    ['box', typeFromMessage(box)],
  ],
});

suite('types of messages', () => {
  const fields: readonly (readonly [string, string])[] = [
    ['ship.kind + ship.apiVersion', 'string'],
    ['ship.built', 'int'],
    ['ship.length', 'double'],
    ['ship.cargo', 'map(string, string)'],
    ['ship.crew', 'list(v1.Crew)'],
    ['ship.crew.map(c, c.since)', 'list(timestamp)'],
    ['ship.crew[0].berth', 'dyn'],
    ['ship.home__dash__ports', 'list(string)'],
    ['ship.log', 'list(dyn)'],
    ['box.inner.inner.inner', 'v1.Box'],
  ];
  for (const [text, type] of fields)
    test(`${text} is of type ${type}`, () => {
      assert.equal(formatType(compileText(text, environment).type), type);
    });

  test('list types declare their equality', () => {
    const { type } = compileText('ship.crew', environment);
    assert.ok(type.kind === 'list');
    assert.deepEqual([type.listType, type.mapKeys], ['map', ['name']]);
  });

  test('fields that a message does not have are refused', () => {
    assert.throws(() => compileText('box.kind', environment), /undefined field 'kind'/);
    assert.throws(() => compileText('ship.crew[0].rank', environment), /undefined field 'rank'/);
  });

  test('a kind described by a schema has the types of the schema', () => {
    const schema = { type: 'object', properties: { spec: { type: 'integer' } } };
    const custom: MessageShape = { ...message('v1.Custom', {}), structure: { schema } };
    const places = createEnvironment({ variables: [['self', typeFromMessage(custom)]] });
    assert.equal(formatType(compileText('self.spec', places).type), 'int');
    assert.equal(formatType(compileText('self.metadata.name', places).type), 'string');
  });
});
