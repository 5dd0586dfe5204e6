import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { podTemplate, selectorAndTemplate } from '../test-drivers/pod-template.ts';
import { create, findDefinition, update } from '../test-drivers/process.ts';

const kinds = ['deployments', 'replicasets', 'statefulsets', 'daemonsets'] as const;
const template$ = 'spec.template';

/** Most kinds report an invalid policy twice: as unsupported in general, and as not the required one. */
const unknownPolicy = (plural: string) =>
  Array.from(
    { length: plural === 'statefulsets' ? 1 : 2 },
    () => `NotSupported ${template$}.spec.restartPolicy`,
  );

describe('workload kinds', () => {
  for (const plural of kinds) {
    const listFindings = (spec: Record<string, unknown>) => create(plural, { spec }).findings;

    it(`${plural}: a selector and a template are enough`, () =>
      assert.deepEqual(listFindings(selectorAndTemplate()), []));

    it(`${plural}: the pod template has the defaults of pods`, () => {
      const { object } = create(plural, { spec: selectorAndTemplate() });
      const { template } = object['spec'] as { template: { spec: Record<string, unknown> } };
      assert.equal(template.spec['restartPolicy'], 'Always');
      assert.equal('enableServiceLinks' in template.spec, false);
    });

    it(`${plural}: a valid, non-empty selector is required`, () => {
      const unmatched = `Invalid ${template$}.metadata.labels`;
      // A daemon set without a selector is treated as one with a selector that matches nothing.
      assert.deepEqual(
        listFindings({ template: podTemplate() }),
        plural === 'daemonsets' ? [unmatched] : ['Required spec.selector', unmatched],
      );
      assert.deepEqual(listFindings({ template: podTemplate(), selector: {} }), ['Invalid spec.selector']);
      assert.deepEqual(
        listFindings({
          template: podTemplate(),
          selector: { matchExpressions: [{ key: 'a', operator: 'Like' }] },
        }),
        [
          'Invalid spec.selector.matchExpressions[0].operator',
          ...(plural === 'daemonsets' ? [] : ['Invalid spec.selector']),
        ],
      );
    });

    it(`${plural}: the selector must match the template`, () =>
      assert.deepEqual(listFindings({ ...selectorAndTemplate(), selector: { matchLabels: { app: 'y' } } }), [
        `Invalid ${template$}.metadata.labels`,
      ]));

    for (const [what, spec, findings] of [
      ['ends', { restartPolicy: 'Never' }, [`NotSupported ${template$}.spec.restartPolicy`]],
      ['has a deadline', { activeDeadlineSeconds: 5 }, [`Forbidden ${template$}.spec.activeDeadlineSeconds`]],
      ['has an unknown policy', { restartPolicy: 'X' }, unknownPolicy(plural)],
      ['has no containers', { containers: [] }, [`Required ${template$}.spec.containers`]],
      [
        'has ephemeral containers',
        { ephemeralContainers: [{ name: 'e', image: 'i:1' }] },
        [`Forbidden ${template$}.spec.ephemeralContainers`],
      ],
    ] as const) {
      // The pods of a stateful set are validated when they are created.
      const isLeft = plural === 'statefulsets' && what.includes('containers');
      it(`${plural}: a template whose pod ${what} is ${isLeft ? 'accepted' : 'refused'}`, () =>
        assert.deepEqual(listFindings(selectorAndTemplate(spec)), isLeft ? [] : findings));
    }

    it(`${plural}: labels and annotations of the template are checked`, () => {
      const template = {
        ...podTemplate(),
        metadata: { labels: { app: 'x', 'a b': 'c' }, annotations: { 'a b': '' } },
      };
      assert.deepEqual(listFindings({ ...selectorAndTemplate(), template }), [
        `Invalid ${template$}.labels`,
        `Invalid ${template$}.annotations`,
      ]);
    });

    it(`${plural}: minReadySeconds is not negative`, () =>
      assert.deepEqual(listFindings({ ...selectorAndTemplate(), minReadySeconds: -1 }), [
        'Invalid spec.minReadySeconds',
      ]));

    it(`${plural}: status is empty at creation, and generation counts changes of the spec`, () => {
      const old = create(plural, { spec: selectorAndTemplate(), status: { observedGeneration: 7 } }).object;
      assert.equal((old['status'] as Record<string, unknown>)['observedGeneration'], undefined);
      assert.equal(old.metadata.generation, 1);
      const spec = { ...(old['spec'] as object), minReadySeconds: 3 };
      assert.equal(update(plural, { spec }, { old }).object.metadata.generation, 2);
      const { object } = update(
        plural,
        { spec: {}, status: { observedGeneration: 1 } },
        { old, subresource: 'status' },
      );
      assert.deepEqual(object['spec'], old['spec']);
      assert.equal(object.metadata.generation, 1);
    });
  }

  for (const plural of ['deployments', 'replicasets', 'daemonsets'])
    it(`${plural}: the selector cannot change`, () => {
      const old = create(plural, { spec: selectorAndTemplate() }).object;
      const spec = {
        ...selectorAndTemplate(),
        selector: { matchLabels: { app: 'y' } },
        template: podTemplate({}, { app: 'y' }),
      };
      assert.deepEqual(update(plural, { spec }, { old }).findings, ['Invalid spec.selector']);
    });

  for (const plural of ['deployments', 'replicasets', 'statefulsets'])
    it(`${plural}: replicas is 1 by default and never negative`, () => {
      const { object } = create(plural, { spec: selectorAndTemplate() });
      assert.equal((object['spec'] as Record<string, unknown>)['replicas'], 1);
      const spec = { ...selectorAndTemplate(), replicas: -1 };
      assert.deepEqual(create(plural, { spec }).findings, ['Invalid spec.replicas']);
    });

  it('share a disk only when every pod mounts it read-only', () => {
    const volumes = [{ name: 'd', gcePersistentDisk: { pdName: 'p' } }];
    const spec = { ...selectorAndTemplate({ volumes }), replicas: 2 };
    const finding = [`Invalid ${template$}.spec.volumes[0].gcePersistentDisk.readOnly`];
    assert.deepEqual(create('deployments', { spec }).findings, finding);
    assert.deepEqual(create('deployments', { spec: { ...spec, replicas: 1 } }).findings, []);
    assert.deepEqual(create('daemonsets', { spec: selectorAndTemplate({ volumes }) }).findings, finding);
  });

  it('declare the paths of their scale subresource', () => {
    for (const plural of ['deployments', 'replicasets', 'statefulsets', 'replicationcontrollers'])
      assert.deepEqual(findDefinition(plural).subresources.get('scale')?.scale, {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.spec.selector',
      });
    assert.equal(findDefinition('daemonsets').subresources.has('scale'), false);
  });
});

describe('the status of workload kinds', () => {
  const createOld = (plural: string, status: JsonObject = {}): ApiObject => ({
    ...create(plural, { spec: plural === 'replicationcontrollers' ? {} : selectorAndTemplate() }).object,
    status,
  });
  const cases: readonly [plural: string, status: JsonObject, findings: readonly string[]][] = [
    ['deployments', { replicas: 2, readyReplicas: 2, availableReplicas: 1, updatedReplicas: 2 }, []],
    ['replicationcontrollers', { replicas: -1 }, ['Invalid status.replicas']],
    ['deployments', { observedGeneration: -1 }, ['Invalid status.observedGeneration']],
    ['deployments', { unavailableReplicas: -1 }, ['Invalid status.unavailableReplicas']],
    ['deployments', { replicas: 1, updatedReplicas: 2 }, ['Invalid status.updatedReplicas']],
    [
      'deployments',
      { replicas: 2, readyReplicas: 1, availableReplicas: 2 },
      ['Invalid status.availableReplicas'],
    ],
    ['replicasets', { replicas: 1, fullyLabeledReplicas: 2 }, ['Invalid status.fullyLabeledReplicas']],
    ['statefulsets', { replicas: 1, currentReplicas: 2 }, ['Invalid status.currentReplicas']],
    ['daemonsets', { numberReady: -1 }, ['Invalid status.numberReady']],
  ];
  for (const [plural, status, findings] of cases)
    it(`${plural} with ${JSON.stringify(status)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(
        update(plural, { status }, { old: createOld(plural), subresource: 'status' }).findings,
        findings,
      ));

  for (const plural of ['deployments', 'statefulsets', 'daemonsets'])
    it(`${plural}: collisionCount never decreases`, () => {
      const old = createOld(plural, { collisionCount: 3 });
      const listFindings = (collisionCount: number | undefined) =>
        update(plural, { status: { collisionCount } }, { old, subresource: 'status' }).findings;
      assert.deepEqual(listFindings(3), []);
      assert.deepEqual(listFindings(2), ['Invalid status.collisionCount']);
      assert.deepEqual(listFindings(undefined), ['Invalid status.collisionCount']);
    });
});
