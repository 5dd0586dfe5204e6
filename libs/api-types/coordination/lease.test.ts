import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create } from '../test-drivers/process.ts';

describe('a lease', () => {
  for (const [spec, findings] of [
    [{}, []],
    [{ leaseDurationSeconds: 1, leaseTransitions: 0 }, []],
    [{ leaseDurationSeconds: 0 }, ['Invalid spec.leaseDurationSeconds']],
    [{ leaseTransitions: -1 }, ['Invalid spec.leaseTransitions']],
  ] as const) {
    it(`with ${JSON.stringify(spec)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('leases', { spec }).findings, findings));
  }

  it('has an empty spec by default', () => assert.deepEqual(create('leases', {}).object['spec'], {}));
});
