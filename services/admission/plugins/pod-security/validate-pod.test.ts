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

test('labels and other annotations are of no concern, images are', () => {
  assert.equal(isSignificantUpdate(pod({ a: 'b' }), pod({})), false);
  assert.equal(isSignificantUpdate(pod({}, 'i:2'), pod({})), true);
});

for (const domain of both)
  for (const prefix of ['container.apparmor.security.beta', 'container.seccomp.security.alpha'])
    test(`${prefix}.${domain} is of concern where it changes, whatever the other name says`, () => {
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
