import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, update } from '../test-drivers/process.ts';
import { systemPriorityClasses } from './priority-class.ts';

describe('a priority class', () => {
  for (const [name, content, findings] of [
    ['a', { value: 1_000_000_000 }, []],
    ['a', { value: -1, globalDefault: true }, []],
    ['a', { value: 1_000_000_001 }, ['Forbidden value']],
    ['a', { value: 1, preemptionPolicy: 'Always' }, ['NotSupported preemptionPolicy']],
    ['system-a', { value: 1 }, ['Forbidden metadata.name']],
    ['system-node-critical', { value: 1 }, ['Forbidden metadata.name']],
  ] as const)
    it(`${name} with ${JSON.stringify(content)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('priorityclasses', { metadata: { name }, ...content }).findings, findings));

  for (const { name, ...content } of systemPriorityClasses)
    it(`${name} of the system is valid`, () =>
      assert.deepEqual(create('priorityclasses', { metadata: { name }, ...content }).findings, []));

  it('preempts by default, and cannot change its policy or value', () => {
    const old = create('priorityclasses', { value: 1 }).object;
    assert.equal(old['preemptionPolicy'], 'PreemptLowerPriority');
    assert.equal(old.metadata.generation, 1);
    const described = update('priorityclasses', { value: 1, description: 'd' }, { old });
    assert.deepEqual(described.findings, []);
    assert.equal(described.object.metadata.generation, 1);
    assert.deepEqual(update('priorityclasses', { value: 2, preemptionPolicy: 'Never' }, { old }).findings, [
      'Forbidden value',
      'Invalid preemptionPolicy',
    ]);
  });
});
