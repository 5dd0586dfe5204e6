import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finalizers as names } from '@binnacle/api-names';
import { create, update } from '../test-drivers/process.ts';

describe('a namespace', () => {
  it('is created in phase Active with the label of its name and the standard finalizer', () => {
    const { object, findings } = create('namespaces', { metadata: { labels: { a: 'b' } } });
    assert.deepEqual(findings, []);
    assert.deepEqual(object.metadata.labels, { a: 'b', 'cluster.io/metadata.name': 'a' });
    assert.deepEqual(object['spec'], { finalizers: [names.namespace] });
    assert.deepEqual(object['status'], { phase: 'Active' });
  });

  it('keeps other finalizers beside the standard one', () => {
    const { object } = create('namespaces', { spec: { finalizers: ['example.com/x'] } });
    assert.deepEqual(object['spec'], { finalizers: ['example.com/x', names.namespace] });
  });

  it('has a DNS label as name', () => {
    assert.deepEqual(create('namespaces', { metadata: { name: 'a.b' } }).findings, ['Invalid metadata.name']);
  });

  const old = create('namespaces', {}).object;

  it('has the label of its name restored by updates', () => {
    const { object } = update(
      'namespaces',
      { metadata: { labels: { 'cluster.io/metadata.name': 'x' } } },
      { old },
    );
    assert.equal(object.metadata.labels?.['cluster.io/metadata.name'], 'a');
  });

  it('has its own name in the Kubernetes label, where it has that label', () => {
    const labels = { 'kubernetes.io/metadata.name': 'kube-system' };
    const both = { 'cluster.io/metadata.name': 'a', 'kubernetes.io/metadata.name': 'a' };
    assert.deepEqual(create('namespaces', { metadata: { labels } }).object.metadata.labels, both);
    assert.deepEqual(update('namespaces', { metadata: { labels } }, { old }).object.metadata.labels, both);
  });

  it('changes its spec finalizers through the finalize subresource only', () => {
    const content = { spec: { finalizers: [] }, status: { phase: 'Terminating' } };
    for (const subresource of ['', 'status'])
      assert.deepEqual(update('namespaces', content, { old, subresource }).object['spec'], old['spec']);
    const finalized = update('namespaces', content, { old, subresource: 'finalize' });
    assert.deepEqual(finalized.findings, []);
    assert.deepEqual(finalized.object['spec'], {});
    assert.deepEqual(finalized.object['status'], { phase: 'Active' });
  });

  it('accepts only qualified finalizers and the standard one', () => {
    const finalize = (finalizers: string[]) =>
      update('namespaces', { spec: { finalizers } }, { old, subresource: 'finalize' }).findings;
    assert.deepEqual(finalize([names.namespace, 'example.com/x']), []);
    assert.deepEqual(finalize(['x', 'a/b/c']), ['Invalid spec.finalizers[0]', 'Invalid spec.finalizers[1]']);
  });

  it('has its finalizers validated at creation, with errors at the list', () =>
    assert.deepEqual(create('namespaces', { spec: { finalizers: ['x'] } }).findings, [
      'Invalid spec.finalizers',
    ]));

  it('is in phase Terminating exactly while it is being deleted', () => {
    const content = { status: { phase: 'Terminating' } };
    assert.deepEqual(update('namespaces', content, { old, subresource: 'status' }).findings, [
      'Invalid status.Phase',
    ]);
    const deleted = structuredClone(old);
    deleted.metadata.deletionTimestamp = '2024-01-01T00:00:00Z';
    assert.deepEqual(update('namespaces', content, { old: deleted, subresource: 'status' }).findings, []);
  });
});
