import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, findDefinition } from '../test-drivers/process.ts';

const reported = {
  eventTime: '2024-01-01T00:00:00.000000Z',
  reportingComponent: 'c',
  reportingInstance: 'i',
  action: 'a',
  reason: 'r',
};

const cases: readonly (readonly [
  what: string,
  content: Record<string, unknown>,
  findings: readonly string[],
])[] = [
  ['about an object of its namespace', { involvedObject: { namespace: 't' } }, []],
  [
    'about an object of another',
    { involvedObject: { namespace: 'u' } },
    ['Invalid involvedObject.namespace'],
  ],
  ['about an object of no namespace', {}, ['Invalid involvedObject.namespace']],
  ['about a cluster-scoped object, in default', { metadata: { namespace: 'default' } }, []],
  ['in the newer form', { involvedObject: { namespace: 't' }, ...reported }, []],
  [
    'in the newer form without its reporter',
    { involvedObject: { namespace: 't' }, eventTime: reported.eventTime },
    [
      'Required reportingComponent',
      'Invalid reportingComponent',
      'Invalid reportingComponent',
      'Required reportingInstance',
      'Required action',
      'Required reason',
    ],
  ],
  [
    'of the system in the newer form',
    { ...reported, metadata: { namespace: 'cluster-system' }, message: 'm'.repeat(1025) },
    ['Invalid message'],
  ],
  ['in the newer form about an object of another', { ...reported, involvedObject: { namespace: 'u' } }, []],
  ['with any name of a path', { metadata: { name: 'A_b' }, involvedObject: { namespace: 't' } }, []],
  [
    'with a name that is no segment of a path',
    { metadata: { name: 'a/b' }, involvedObject: { namespace: 't' } },
    ['Invalid metadata.name'],
  ],
];

describe('an event', () => {
  for (const [what, content, findings] of cases)
    it(what, () => assert.deepEqual(create('events', content).findings, findings));

  it('can be selected by its object, reason, source and type', () => {
    const { object } = create('events', {
      involvedObject: { namespace: 't', kind: 'Pod', name: 'p', fieldPath: 'spec' },
      source: { component: 'kubelet' },
      reason: 'Started',
      type: 'Normal',
    });
    const fields = findDefinition('events').rules.selectableFields?.(object);
    assert.equal(fields?.['involvedObject.kind'], 'Pod');
    assert.equal(fields?.['involvedObject.uid'], '');
    assert.equal(fields?.['source'], 'kubelet');
    assert.equal(fields?.['reason'], 'Started');
  });
});
