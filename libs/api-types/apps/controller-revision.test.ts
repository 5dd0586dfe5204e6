import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, findDefinition, update } from '../test-drivers/process.ts';

describe('a controller revision', () => {
  it('has data and a number from 0', () => {
    assert.deepEqual(create('controllerrevisions', { data: { a: 1 }, revision: 0 }).findings, []);
    assert.deepEqual(create('controllerrevisions', { revision: -1 }).findings, [
      'Required data',
      'Invalid revision',
    ]);
  });

  it('may change its revision number only', () => {
    const old = create('controllerrevisions', { data: { a: 1 }, revision: 1 }).object;
    const listFindings = (content: Record<string, unknown>) =>
      update('controllerrevisions', content, { old }).findings;
    assert.deepEqual(listFindings({ data: { a: 1 }, revision: 2 }), []);
    assert.deepEqual(listFindings({ data: { a: 2 }, revision: 1 }), ['Invalid data']);
  });

  it('is printed with its owner', () => {
    const listCells = (metadata: object) =>
      findDefinition('controllerrevisions').rules.cells?.(
        create('controllerrevisions', { metadata, data: {}, revision: 4 }).object,
        0,
      );
    const ownerReferences = [
      { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'u', controller: true },
    ];
    assert.deepEqual(listCells({ ownerReferences }), ['a', 'daemonset.apps/d', 4, '<unknown>']);
    assert.deepEqual(listCells({}), ['a', '<none>', 4, '<unknown>']);
  });
});
