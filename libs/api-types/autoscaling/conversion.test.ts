import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { annotations as names } from '@binnacle/api-names';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { create, findDefinition, update } from '../test-drivers/process.ts';
import { fromStorage, toStorage } from './conversion.ts';

const v1 = 'autoscaling/v1/horizontalpodautoscalers';
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const processors = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const selector = { matchLabels: { a: 'b' } };
const behavior = {
  scaleUp: { selectPolicy: 'Max', policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }] },
};
const conditions = [
  { type: 'AbleToScale', status: 'True', lastTransitionTime: '2024-01-01T00:00:00Z', reason: 'R' },
];

function autoscaler(apiVersion: string, spec: JsonObject, status: JsonObject = {}): ApiObject {
  return {
    apiVersion,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'a', namespace: 't' },
    spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3, ...spec },
    status: { desiredReplicas: 2, ...status },
  };
}

function converted(object: ApiObject, ...steps: readonly ((object: ApiObject) => void)[]): ApiObject {
  const copy = structuredClone(object);
  for (const step of steps) step(copy);
  return copy;
}

const pods = {
  type: 'Pods',
  pods: { metric: { name: 'm', selector }, target: { type: 'AverageValue', averageValue: '5' } },
};
const described = { kind: 'Ingress', name: 'i', apiVersion: 'networking.cluster.io/v1' };
const objectMetric = (target: JsonObject) => ({
  type: 'Object',
  object: { describedObject: described, metric: { name: 'm', selector }, target },
});
const external = (target: JsonObject) => ({
  type: 'External',
  external: { metric: { name: 'm', selector }, target },
});
const container = (target: JsonObject) => ({
  type: 'ContainerResource',
  containerResource: { name: 'cpu', container: 'c', target },
});

const storedSpecs: readonly [what: string, spec: JsonObject][] = [
  ['the use of processors', { metrics: [processors(50)] }],
  [
    'processors by value',
    {
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '1' } } },
      ],
    },
  ],
  ['metrics of pods', { metrics: [pods] }],
  ['metrics of pods before processors', { metrics: [pods, processors(50)] }],
  ['metrics of pods after processors', { metrics: [processors(50), pods] }],
  ['processors twice', { metrics: [processors(50), processors(60)] }],
  ['metrics of objects', { metrics: [objectMetric({ type: 'Value', value: '5' })] }],
  ['averages of objects', { metrics: [objectMetric({ type: 'AverageValue', averageValue: '5' })] }],
  ['a type of target that does not fit', { metrics: [objectMetric({ type: 'Value', averageValue: '5' })] }],
  [
    'both figures of an object',
    { metrics: [objectMetric({ type: 'Value', value: '4', averageValue: '5' })] },
  ],
  [
    'external metrics',
    {
      metrics: [
        external({ type: 'Value', value: '5' }),
        external({ type: 'AverageValue', averageValue: '5' }),
      ],
    },
  ],
  ['metrics of containers', { metrics: [container({ type: 'Utilization', averageUtilization: 5 })] }],
  ['behavior', { metrics: [processors(50)], behavior }],
];

describe('an autoscaler stored as v2', () => {
  for (const [what, spec] of storedSpecs)
    it(`is unchanged after a conversion to v1 and back with ${what}`, () => {
      const stored = autoscaler('autoscaling/v2', spec, { currentMetrics: null });
      const seen = converted(stored, fromStorage);
      assert.equal(seen.apiVersion, 'autoscaling/v1');
      assert.deepEqual(
        Object.keys(seen['spec'] as object).filter(key => ['metrics', 'behavior'].includes(key)),
        [],
      );
      assert.deepEqual(converted(seen, toStorage), stored);
    });

  it('is unchanged after a conversion to v1 and back with its status', () => {
    const currentMetrics = [
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 70, averageValue: '7' } } },
      { type: 'Pods', pods: { metric: { name: 'm', selector }, current: { averageValue: '4' } } },
      {
        type: 'Object',
        object: { describedObject: described, metric: { name: 'm' }, current: { value: '3' } },
      },
      { type: 'External', external: { metric: { name: 'm' }, current: { value: '3', averageValue: '1' } } },
      {
        type: 'ContainerResource',
        containerResource: {
          name: 'cpu',
          container: 'c',
          current: { averageUtilization: 7, averageValue: '1' },
        },
      },
    ];
    const stored = autoscaler(
      'autoscaling/v2',
      { metrics: [processors(50)] },
      { currentMetrics, conditions, currentReplicas: 2 },
    );
    const seen = converted(stored, fromStorage);
    assert.equal((seen['status'] as JsonObject)['currentCPUUtilizationPercentage'], 70);
    assert.deepEqual(converted(seen, toStorage), stored);
  });

  it('is unchanged after a conversion to v1 and back with metrics that v1 has no field for', () => {
    const current = { value: '1', averageValue: '2', averageUtilization: 3 };
    const currentMetrics = [
      { type: 'Pods', pods: { metric: { name: 'm' }, current } },
      { type: 'Object', object: { describedObject: described, metric: { name: 'm' }, current } },
    ];
    const stored = autoscaler('autoscaling/v2', { metrics: [processors(50)] }, { currentMetrics });
    assert.deepEqual(converted(stored, fromStorage, toStorage), stored);
  });

  it('shows v1 clients the CPU target in its field and other metrics in annotations', () => {
    const seen = converted(
      autoscaler('autoscaling/v2', { metrics: [processors(50), pods], behavior }),
      fromStorage,
    );
    assert.equal((seen['spec'] as JsonObject)['targetCPUUtilizationPercentage'], 50);
    assert.deepEqual(JSON.parse(seen.metadata.annotations?.[names.autoscalerMetrics] ?? ''), [
      { type: 'Pods', pods: { metricName: 'm', selector, targetAverageValue: '5' } },
    ]);
    assert.deepEqual(JSON.parse(seen.metadata.annotations?.[names.autoscalerBehavior] ?? ''), behavior);
  });

  it('prefers the changes of a v1 client to the annotations', () => {
    const seen = converted(autoscaler('autoscaling/v2', { metrics: [processors(50), pods] }), fromStorage);
    assert.ok(seen.metadata.annotations?.[names.autoscalerExact]);
    (seen['spec'] as JsonObject)['targetCPUUtilizationPercentage'] = 60;
    const stored = converted(seen, toStorage);
    assert.deepEqual((stored['spec'] as JsonObject)['metrics'], [pods, processors(60)]);
    assert.equal(stored.metadata.annotations, undefined);
  });
});

describe('an autoscaler of version v1', () => {
  const sent = autoscaler('autoscaling/v1', { targetCPUUtilizationPercentage: 50 }, { currentReplicas: 0 });

  it('is unchanged after a conversion to v2 and back', () => {
    assert.deepEqual(converted(sent, toStorage, fromStorage), sent);
    const measured = autoscaler(
      'autoscaling/v1',
      {},
      { currentReplicas: 1, currentCPUUtilizationPercentage: 7 },
    );
    assert.deepEqual(converted(measured, toStorage, fromStorage), measured);
    const annotated = { ...sent, metadata: { ...sent.metadata, annotations: { other: 'x' } } };
    assert.deepEqual(converted(annotated, toStorage, fromStorage), annotated);
  });

  for (const [what, text] of [
    ['no JSON', '{'],
    ['no list', '{}'],
    ['of wrong types', '[{"type":"Pods","pods":{"metricName":5}}]'],
    ['of unknown fields', '[{"type":"Pods","mood":1}]'],
    ['of wrong amounts', '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"much"}}]'],
  ] as const)
    it(`keeps an annotation that is ${what} as it is`, () => {
      const metadata = { ...sent.metadata, annotations: { [names.autoscalerMetrics]: text } };
      const stored = converted({ ...sent, metadata }, toStorage);
      assert.deepEqual(stored.metadata.annotations, metadata.annotations);
      assert.deepEqual((stored['spec'] as JsonObject)['metrics'], [processors(50)]);
    });

  it('accepts behavior with capitalized member names', () => {
    const text =
      '{"ScaleUp":{"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":5}]},"ScaleDown":null}';
    const metadata = { ...sent.metadata, annotations: { [names.autoscalerBehavior]: text } };
    assert.deepEqual(
      (converted({ ...sent, metadata }, toStorage)['spec'] as JsonObject)['behavior'],
      behavior,
    );
  });

  it('has a CPU target of 80 % by default, unless an annotation names metrics', () => {
    const readTarget = (metadata: object) =>
      (create(v1, { metadata, spec: { scaleTargetRef, maxReplicas: 3 } }).object['spec'] as JsonObject)[
        'targetCPUUtilizationPercentage'
      ];
    assert.equal(readTarget({}), 80);
    assert.equal(readTarget({ annotations: { [names.autoscalerMetrics]: '[]' } }), undefined);
  });

  it('is validated with the contents of its annotations', () => {
    const listFindings = (text: string) =>
      create(v1, {
        metadata: { annotations: { [names.autoscalerMetrics]: text } },
        spec: { scaleTargetRef, maxReplicas: 3 },
      }).findings;
    assert.deepEqual(
      listFindings('[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"1"}}]'),
      [],
    );
    assert.deepEqual(listFindings('[{"type":"Pods","pods":{"metricName":"","targetAverageValue":"1"}}]'), [
      'Required spec.metrics[0].pods.metric.name',
    ]);
    assert.deepEqual(create(v1, { spec: { scaleTargetRef } }).findings, [
      'Invalid spec.maxReplicas',
      'Invalid spec.maxReplicas',
    ]);
  });

  it('changes status annotations in status updates only, spec annotations in other updates', () => {
    const status = { [names.autoscalerConditions]: JSON.stringify(conditions) };
    const wanted = { [names.autoscalerBehavior]: JSON.stringify(behavior) };
    const spec = { scaleTargetRef, maxReplicas: 3 };
    const content = { metadata: { annotations: { ...status, ...wanted } }, spec };
    const old = create(v1, content).object;
    assert.deepEqual(old.metadata.annotations, wanted);
    const plain = create(v1, { spec }).object;
    const underBoth = (values: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(values).flatMap(([name, value]) => [
          [name, value],
          [toAlias(name), value],
        ]),
      );
    assert.deepEqual(update(v1, content, { old: plain }).object.metadata.annotations, underBoth(wanted));
    const reported = update(v1, content, { old: plain, subresource: 'status' }).object;
    assert.deepEqual(reported.metadata.annotations, underBoth(status));
  });

  const toAlias = (name: string) => name.replace('cluster.io', 'kubernetes.io');
  const podsMetric = (value: string) =>
    JSON.stringify([{ type: 'Pods', pods: { metricName: 'm', targetAverageValue: value } }]);
  const valueIn = (object: ApiObject) => {
    const stored = structuredClone(object);
    findDefinition(v1).rules.conversion?.toStorage(stored);
    const { metrics } = stored['spec'] as { metrics: { pods?: { target: { averageValue: string } } }[] };
    return metrics.map(({ pods }) => pods?.target.averageValue);
  };
  const carrying = (annotations: Record<string, string>) => ({
    metadata: { annotations },
    spec: { scaleTargetRef, maxReplicas: 3 },
  });

  for (const name of [names.autoscalerMetrics, toAlias(names.autoscalerMetrics)])
    it(`accepts ${name}, and shows it under that name`, () => {
      const { object, findings } = create(v1, carrying({ [name]: podsMetric('5') }));
      assert.deepEqual(findings, []);
      assert.equal('targetCPUUtilizationPercentage' in (object['spec'] as object), false);
      assert.deepEqual(valueIn(object), ['5']);
      const { conversion } = findDefinition(v1).rules;
      conversion?.toStorage(object);
      assert.equal(object.metadata.annotations, undefined);
      conversion?.fromStorage(object);
      assert.deepEqual(JSON.parse(object.metadata.annotations?.[name] ?? ''), JSON.parse(podsMetric('5')));
    });

  const shown = (value: string) => ({
    [names.autoscalerMetrics]: podsMetric(value),
    [toAlias(names.autoscalerMetrics)]: podsMetric(value),
  });
  for (const [what, change, value] of [
    ['its own name', { [names.autoscalerMetrics]: podsMetric('7') }, '7'],
    ['the other name', { [toAlias(names.autoscalerMetrics)]: podsMetric('7') }, '7'],
    ['neither name', {}, '5'],
  ] as const)
    it(`is changed by an update under ${what}`, () => {
      const old = create(v1, carrying(shown('5'))).object;
      const { object } = update(v1, carrying({ ...shown('5'), ...change }), { old });
      assert.deepEqual(valueIn(object), [value]);
      assert.deepEqual(object.metadata.annotations, shown(value));
    });

  it('loses metrics when an update leaves out the annotation under the alias', () => {
    const old = create(v1, carrying(shown('5'))).object;
    const { [toAlias(names.autoscalerMetrics)]: _, ...rest } = shown('5');
    const { object } = update(v1, carrying(rest), { old });
    assert.equal(object.metadata.annotations, undefined);
  });

  it('has its behavior under the other annotation name validated', () => {
    const behavior$ = toAlias(names.autoscalerBehavior);
    const { findings } = create(v1, carrying({ [behavior$]: '{"scaleUp":{"policies":[]}}' }));
    assert.deepEqual(findings, ['Required spec.behavior.scaleUp.policies']);
  });

  it('is the same resource as in version v2, and stored as v2', () => {
    const [first, second] = [findDefinition('horizontalpodautoscalers'), findDefinition(v1)];
    assert.deepEqual([first.version, second.version], ['v2', 'v1']);
    assert.equal(first.storagePrefix, second.storagePrefix);
    assert.equal(first.storageVersionHash, second.storageVersionHash);
  });

  it('is printed like version v2', () => {
    const { object } = create(v1, { spec: { scaleTargetRef, maxReplicas: 3 } });
    assert.deepEqual(findDefinition(v1).rules.cells?.(object, 0), [
      'a',
      'Deployment/d',
      '<unknown>/80%',
      '1',
      3,
      0,
      '<unknown>',
    ]);
  });
});
