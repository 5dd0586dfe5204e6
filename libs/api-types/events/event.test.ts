import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import {
  applyDefaults,
  createTypeRegistry,
  prepareForCreate,
  validateObject,
  validateObjectUpdate,
} from '../index.ts';
import { create } from '../test-drivers/process.ts';
import { coreEventFrom } from './conversion.ts';

const registry = createTypeRegistry();
const found = registry.resource('events.cluster.io', 'v1', 'events');
assert.ok(found);
const definition = found;

const complete = {
  eventTime: '2024-01-01T00:00:00.000000Z',
  regarding: { kind: 'Pod', namespace: 't', name: 'p' },
  reportingController: 'example.com/c',
  reportingInstance: 'i',
  action: 'a',
  reason: 'r',
  note: 'n',
  type: 'Normal',
};

function event(content: Record<string, unknown>): ApiObject {
  const object = structuredClone({
    apiVersion: 'events.cluster.io/v1',
    kind: 'Event',
    metadata: { name: 'a', namespace: 't' },
    ...complete,
    ...content,
  }) as unknown as ApiObject;
  for (const [field, value] of Object.entries(content)) if (value === undefined) delete object[field];
  applyDefaults(definition, object);
  prepareForCreate(definition, object);
  return object;
}

const cases: readonly (readonly [
  what: string,
  content: Record<string, unknown>,
  findings: readonly string[],
])[] = [
  ['that is complete', {}, []],
  ['of a series', { series: { count: 2, lastObservedTime: complete.eventTime } }, []],
  ['without its time', { eventTime: undefined }, ['Required eventTime']],
  [
    'without its reporter',
    { reportingController: '', reportingInstance: '', action: '', reason: '' },
    [
      'Required reportingController',
      ...Array.from({ length: 2 }, () => 'Invalid reportingController'),
      ...['reportingInstance', 'action', 'reason'].map(field => `Required ${field}`),
    ],
  ],
  [
    'without anything',
    Object.fromEntries([...Object.keys(complete)].map(field => [field, undefined])),
    ['Invalid involvedObject.namespace', 'Required eventTime', 'Invalid type'],
  ],
  ['about an object elsewhere', { regarding: { namespace: 'u' } }, []],
  [
    'with a name that is no DNS name',
    { metadata: { name: 'A_b', namespace: 't' } },
    ['Invalid metadata.name'],
  ],
  ['of an unknown type', { type: 'Bad' }, ['Invalid type']],
  ['of a bad reporter', { reportingController: 'a b' }, ['Invalid reportingController']],
  ['with a long note', { note: 'n'.repeat(1025) }, ['Invalid message']],
  ['with a long action', { action: 'ä'.repeat(65) }, ['Invalid action']],
  [
    'with fields of the older form',
    {
      deprecatedCount: 1,
      deprecatedFirstTimestamp: '2024-01-01T00:00:00Z',
      deprecatedLastTimestamp: '2024-01-01T00:00:00Z',
      deprecatedSource: { component: 'c' },
    },
    ['firstTimestamp', 'lastTimestamp', 'count', 'source'].map(field => `Invalid ${field}`),
  ],
  [
    'of a series of one',
    { series: { count: 1 } },
    ['Invalid series.count', 'Required series.lastObservedTime'],
  ],
];

describe('an event of the group events', () => {
  for (const [what, content, findings] of cases)
    it(`${what}: ${findings.join() || 'valid'}`, () => {
      const errors = validateObject(definition, event(content));
      assert.deepEqual(
        errors.map(error => `${error.type} ${error.field}`),
        findings,
      );
    });

  it('can change its series and nothing else', () => {
    const old = event({});
    const fields = (content: Record<string, unknown>) =>
      validateObjectUpdate(definition, event(content), old).map(error => error.field);
    assert.deepEqual(fields({ series: { count: 2, lastObservedTime: complete.eventTime } }), []);
    assert.deepEqual(fields({ series: { count: 0 } }), ['series.count', 'series.lastObservedTime']);
    assert.deepEqual(
      fields({
        regarding: { ...complete.regarding, name: 'q' },
        reason: 's',
        note: 'o',
        type: 'Warning',
        eventTime: '2024-01-02T00:00:00.000000Z',
        related: {},
        action: 'b',
        reportingController: 'd',
        reportingInstance: 'j',
        deprecatedCount: 1,
        deprecatedSource: { host: 'h' },
        deprecatedFirstTimestamp: '2024-01-01T00:00:00Z',
        deprecatedLastTimestamp: '2024-01-01T00:00:00Z',
      }).length,
      13,
    );
  });
});

describe('events of both groups', () => {
  const full = event({
    series: { count: 2, lastObservedTime: complete.eventTime },
    related: { name: 'x' },
    deprecatedSource: { component: 'c', host: 'h' },
    deprecatedFirstTimestamp: '2024-01-01T00:00:00Z',
    deprecatedLastTimestamp: '2024-01-01T00:00:00Z',
    deprecatedCount: 3,
  });

  it('are the same stored objects', () => {
    const core = registry.resource('', 'v1', 'events');
    assert.equal(definition.storagePrefix, core?.storagePrefix);
    assert.equal(definition.storageVersionHash, core?.storageVersionHash);
  });

  it('are converted to the other group and back without loss', () => {
    const core = coreEventFrom(full);
    assert.deepEqual(Object.keys(core).sort(), [
      'action',
      'apiVersion',
      'count',
      'eventTime',
      'firstTimestamp',
      'involvedObject',
      'kind',
      'lastTimestamp',
      'message',
      'metadata',
      'reason',
      'related',
      'reportingComponent',
      'reportingInstance',
      'series',
      'source',
      'type',
    ]);
    assert.equal(core.apiVersion, 'v1');
    assert.deepEqual(core['involvedObject'], complete.regarding);
    assert.equal(core['message'], 'n');
    definition.rules.conversion?.fromStorage(core);
    assert.deepEqual(core, full);
  });

  it('have every field of the other group', () => {
    const core = registry.message('core.v1.Event');
    assert.ok(core);
    const object = { apiVersion: 'v1', kind: 'Event', metadata: {} } as ApiObject;
    for (const field of core.fields.keys()) object[field] ??= {};
    definition.rules.conversion?.fromStorage(object);
    assert.deepEqual(
      Object.keys(object).sort(),
      ['apiVersion', 'kind', ...definition.message.fields.keys()].sort(),
    );
  });

  it('show the fields that are always present in their group', () => {
    const shown = (object: ApiObject) =>
      Object.entries(object).flatMap(([field, value]) => (value === null || value === '' ? [field] : []));
    const old = create('events', { involvedObject: { namespace: 't' } }).object;
    assert.deepEqual(shown(old).sort(), [
      'eventTime',
      'firstTimestamp',
      'lastTimestamp',
      'reportingComponent',
      'reportingInstance',
    ]);
    definition.rules.conversion?.fromStorage(old);
    assert.deepEqual(shown(old).sort(), ['deprecatedFirstTimestamp', 'deprecatedLastTimestamp', 'eventTime']);
    assert.deepEqual(shown(event({})).sort(), ['deprecatedFirstTimestamp', 'deprecatedLastTimestamp']);
  });

  it('have the same selectable fields and table cells', () => {
    const core = registry.resource('', 'v1', 'events');
    const fields = definition.rules.selectableFields?.(full) ?? {};
    assert.equal(fields['regarding.name'], 'p');
    assert.equal(fields['reportingController'], 'example.com/c');
    assert.deepEqual(Object.keys(fields).sort(), [...(definition.rules.selectableFieldNames ?? [])].sort());
    assert.deepEqual(definition.rules.cells?.(full, 0), core?.rules.cells?.(coreEventFrom(full), 0));
  });
});
