import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSignificantUpdate } from './validate-pod.ts';

const pod = (annotations: Record<string, string>, image = 'i:1') => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', annotations },
  spec: { containers: [{ name: 'c', image }] },
});
const both = ['cluster.io', 'kubernetes.io'];

test('an update of labels or other annotations is not relevant, of images it is', () => {
  assert.equal(isSignificantUpdate(pod({ a: 'b' }), pod({})), false);
  assert.equal(isSignificantUpdate(pod({}, 'i:2'), pod({})), true);
});

for (const domain of both)
  for (const prefix of ['container.apparmor.security.beta', 'container.seccomp.security.alpha'])
    test(`an update of ${prefix}.${domain} is relevant, whatever the other annotation has`, () => {
      const key = `${prefix}.${domain}/c`;
      const other = both
        .filter(name => name !== domain)
        .map(name => [`${prefix}.${name}/c`, 'runtime/default']);
      const kept = Object.fromEntries(other) as Record<string, string>; // pairs of texts
      assert.equal(isSignificantUpdate(pod({ ...kept, [key]: 'unconfined' }), pod(kept)), true);
      assert.equal(isSignificantUpdate(pod(kept), pod({ ...kept, [key]: 'unconfined' })), true);
      assert.equal(isSignificantUpdate(pod({ ...kept, [key]: 'x' }), pod({ ...kept, [key]: 'y' })), true);
      assert.equal(isSignificantUpdate(pod({ ...kept, [key]: 'x' }), pod({ ...kept, [key]: 'x' })), false);
    });
