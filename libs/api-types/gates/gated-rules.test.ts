import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ApiGateName } from '@binnacle/api-objects';
import { create, findDefinition, gatesWith, update } from '../test-drivers/process.ts';

const on = (gate: ApiGateName) => gatesWith({ [gate]: true });
const off = (gate: ApiGateName) => gatesWith({ [gate]: false });
const selector = { matchLabels: { app: 'x' } };
const template = (spec: object = {}) => ({
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const claim = (more: object = {}) => ({
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } }, ...more },
});
const size = (storage: string) => claim({ resources: { requests: { storage } } });

suite('defaults that depend on gates', () => {
  const set = { spec: { selector, template: template() } };
  const readSpec = (
    gate: ApiGateName,
    isOn: boolean,
    object: Record<string, unknown> = set,
    plural = 'statefulsets',
  ) => create(plural, object, gatesWith({ [gate]: isOn })).object['spec'] as Record<string, unknown>;

  test('a stateful set has a default retention policy for its claims', () => {
    const field = 'persistentVolumeClaimRetentionPolicy';
    assert.equal(readSpec('StatefulSetAutoDeletePVC', false)[field], undefined);
    assert.deepEqual(readSpec('StatefulSetAutoDeletePVC', true)[field], {
      whenDeleted: 'Retain',
      whenScaled: 'Retain',
    });
  });

  test('a stateful set has a default maxUnavailable', () => {
    const rollingUpdate = (isOn: boolean) => readSpec('MaxUnavailableStatefulSet', isOn)['updateStrategy'];
    assert.deepEqual(rollingUpdate(false), { type: 'RollingUpdate', rollingUpdate: { partition: 0 } });
    assert.deepEqual(rollingUpdate(true), {
      type: 'RollingUpdate',
      rollingUpdate: { partition: 0, maxUnavailable: 1 },
    });
  });

  test('a CSI driver has a default seLinuxMount', () => {
    const driver = { spec: {} };
    const gate = 'SELinuxMountReadWriteOncePod';
    assert.equal(readSpec(gate, false, driver, 'csidrivers')['seLinuxMount'], undefined);
    assert.equal(readSpec(gate, true, driver, 'csidrivers')['seLinuxMount'], false);
  });

  test('dataSourceRef is set from dataSource only while the gate is on', () => {
    const dataSource = { kind: 'PersistentVolumeClaim', name: 'n' };
    const source = (isOn: boolean) =>
      readSpec('AnyVolumeDataSource', isOn, claim({ dataSource }), 'persistentvolumeclaims')['dataSourceRef'];
    assert.deepEqual(source(true), dataSource);
    assert.equal(source(false), undefined);
  });
});

test('a pod with scheduling gates has the condition that it is not scheduled', () => {
  const spec = { containers: [{ name: 'c', image: 'i' }], schedulingGates: [{ name: 'a' }] };
  const conditions = (content: object) => {
    const { status } = create('pods', { spec: content }, on('PodSchedulingReadiness')).object;
    return (status as { conditions?: { type: string; status: string; reason: string }[] }).conditions;
  };
  const [first, ...others] = conditions(spec) ?? [];
  assert.deepEqual([first?.type, first?.status, first?.reason], ['PodScheduled', 'False', 'SchedulingGated']);
  assert.deepEqual(others, []);
  assert.equal(conditions({ ...spec, schedulingGates: [] }), undefined);
});

test('an evicted pod has the condition DisruptionTarget', () => {
  const evicted = (gates = on('PodDisruptionConditions'), conditions: object[] = []) => {
    const { object } = create('pods', { spec: { containers: [{ name: 'c', image: 'i' }] } });
    (object['status'] as { conditions: object[] }).conditions = conditions;
    findDefinition('pods', gates).rules.prepareForEviction?.(object, Date.UTC(2024, 0));
    return (object['status'] as { conditions: object[] }).conditions;
  };
  const ready = { type: 'Ready', status: 'True' };
  const target = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
    lastProbeTime: null,
    lastTransitionTime: '2024-01-01T00:00:00Z',
  };
  assert.deepEqual(evicted(undefined, [ready]), [ready, target]);
  const earlier = { ...target, reason: 'Other', lastTransitionTime: '2023-01-01T00:00:00Z' };
  assert.deepEqual(evicted(undefined, [earlier]), [
    { ...target, lastTransitionTime: earlier.lastTransitionTime },
  ]);
  assert.deepEqual(evicted(off('PodDisruptionConditions'), [ready]), [ready]);
});

test('the status of a network policy is kept or dropped, and not added', () => {
  const content = { spec: { podSelector: {} } };
  const condition = {
    type: 'Accepted',
    status: 'True',
    reason: 'Done',
    message: '',
    lastTransitionTime: '2024-01-01T00:00:00Z',
  };
  const said = { conditions: [condition] };
  const old = create('networkpolicies', content).object;
  const statusAfter = (status: object, before: object, gates = off('NetworkPolicyStatus')) => {
    const stored = { ...old, status: structuredClone(before) } as typeof old;
    const { object } = update(
      'networkpolicies',
      { ...content, status },
      { old: stored, subresource: 'status', gates },
    );
    return object['status'];
  };
  assert.deepEqual(statusAfter(said, {}), {});
  assert.deepEqual(statusAfter({ conditions: [{ ...condition, status: 'False' }] }, said), said);
  assert.deepEqual(statusAfter({}, said), {});
  assert.deepEqual(statusAfter(said, {}, on('NetworkPolicyStatus')), said);
});

suite('validation that depends on gates', () => {
  for (const plural of ['persistentvolumes', 'persistentvolumeclaims']) {
    test(`${plural}: the access mode ReadWriteOncePod`, () => {
      const content = {
        spec: {
          accessModes: ['ReadWriteOncePod'],
          ...(plural === 'persistentvolumes'
            ? { capacity: { storage: '1Gi' }, hostPath: { path: '/x' } }
            : { resources: { requests: { storage: '1Gi' } } }),
        },
      };
      assert.deepEqual(create(plural, content).findings, ['NotSupported spec.accessModes']);
      const created = create(plural, content, on('ReadWriteOncePod'));
      assert.deepEqual(created.findings, []);
      assert.deepEqual(update(plural, content, { old: created.object }).findings, []);
    });
  }

  test('an autoscaler may scale to zero pods', () => {
    const scaler = (fields: object) => ({
      spec: {
        minReplicas: 0,
        maxReplicas: 3,
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
        ...fields,
      },
    });
    const external = {
      type: 'External',
      external: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '1' } },
    };
    const resource = {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
    };
    const zero = scaler({ metrics: [external] });
    const plural = 'autoscaling/v2/horizontalpodautoscalers';
    const gate = on('HPAScaleToZero');
    assert.deepEqual(create(plural, zero).findings, ['Invalid spec.minReplicas']);
    const created = create(plural, zero, gate);
    assert.deepEqual(created.findings, []);
    assert.deepEqual(create(plural, scaler({ metrics: [resource] }), gate).findings, [
      'Forbidden spec.metrics',
    ]);
    assert.deepEqual(create(plural, scaler({ minReplicas: -1, metrics: [external] }), gate).findings, [
      'Invalid spec.minReplicas',
    ]);
    assert.deepEqual(update(plural, zero, { old: created.object }).findings, []);
    const old = create(plural, scaler({ minReplicas: 1, metrics: [external] })).object;
    assert.deepEqual(update(plural, zero, { old }).findings, ['Invalid spec.minReplicas']);
    const v1 = 'autoscaling/v1/horizontalpodautoscalers';
    assert.deepEqual(create(v1, scaler({})).findings, ['Invalid spec.minReplicas']);
  });

  test('the node selector of a suspended job may change', () => {
    const job = (spec: object) => ({
      spec: { suspend: true, template: template({ restartPolicy: 'Never', ...spec }) },
    });
    const old = create('jobs', job({})).object;
    const kept = { selector: (old['spec'] as Record<string, unknown>)['selector'] };
    const labels = { app: 'x', ...(kept.selector as { matchLabels: object }).matchLabels, 'job-name': 'a' };
    const moved = (gates?: ReturnType<typeof on>) => {
      const content = job({ nodeSelector: { disk: 'ssd' } });
      const sent = { spec: { ...content.spec, ...kept, completions: 1 } };
      sent.spec.template.metadata.labels = labels;
      return update('jobs', sent, { old, ...(gates && { gates }) }).findings;
    };
    assert.deepEqual(moved(), []);
    assert.deepEqual(moved(off('JobMutableNodeSchedulingDirectives')), ['Invalid spec.template']);
  });

  test('a storage class may be added to a claim later', () => {
    const old = create('persistentvolumeclaims', claim()).object;
    const later = claim({ storageClassName: 'fast' });
    const findings = (gates = off('HPAScaleToZero')) =>
      update('persistentvolumeclaims', later, { old, gates }).findings;
    assert.deepEqual(findings(), []);
    assert.deepEqual(findings(off('RetroactiveDefaultStorageClass')), ['Forbidden spec']);
  });

  test('a claim may request less after a failed expansion', () => {
    const old = create('persistentvolumeclaims', size('4Gi')).object;
    old['status'] = { phase: 'Bound', capacity: { storage: '2Gi' } };
    const findings = (storage: string, gates = off('RecoverVolumeExpansionFailure')) =>
      update('persistentvolumeclaims', size(storage), { old, gates }).findings;
    const recovering = on('RecoverVolumeExpansionFailure');
    assert.deepEqual(findings('3Gi'), ['Forbidden spec.resources.requests.storage']);
    assert.deepEqual(findings('3Gi', recovering), []);
    assert.deepEqual(findings('2Gi', recovering), ['Forbidden spec.resources.requests.storage']);
    assert.deepEqual(findings('5Gi', recovering), []);
  });
});
