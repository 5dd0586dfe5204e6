import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, findDefinition, gatesWith, update } from '../test-drivers/process.ts';

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const gates = gatesWith({ HPAContainerMetrics: true });
const createAutoscaler = (fields: object = {}) =>
  create('horizontalpodautoscalers', { spec: { scaleTargetRef, maxReplicas: 3, ...fields } }, gates);
const metric$ = 'spec.metrics[0]';
const metric = (type: string, content: object) => ({ metrics: [{ type, ...content }] });
const resource = (target: object) => metric('Resource', { resource: { name: 'cpu', target } });
const pods = (target: object) => metric('Pods', { pods: { metric: { name: 'm' }, target } });
const external = (target: object, identifier: object = { name: 'm' }) =>
  metric('External', { external: { metric: identifier, target } });
const objectMetric = (target: object, describedObject: object = { kind: 'Ingress', name: 'i' }) =>
  metric('Object', { object: { metric: { name: 'm' }, describedObject, target } });
const down = (rules: object) => ({ behavior: { scaleDown: rules } });
const down$ = 'spec.behavior.scaleDown';
const policy = (fields: object) =>
  down({ policies: [{ type: 'Pods', value: 1, periodSeconds: 1, ...fields }] });

describe('an autoscaler', () => {
  it('has a CPU target of 80 % by default', () => {
    const { object, findings } = createAutoscaler();
    assert.deepEqual(findings, []);
    assert.deepEqual(object['spec'], {
      scaleTargetRef,
      maxReplicas: 3,
      minReplicas: 1,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ],
    });
    assert.equal(object.metadata.generation, undefined);
  });

  it('scales up at once and down slowly by default', () => {
    const double = { type: 'Percent', value: 100, periodSeconds: 15 };
    const { behavior } = createAutoscaler(down({ selectPolicy: 'Disabled' })).object['spec'] as Record<
      string,
      unknown
    >;
    assert.deepEqual(behavior, {
      scaleDown: { selectPolicy: 'Disabled', policies: [double] },
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Max',
        policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, double],
      },
    });
  });

  const cases: readonly [fields: object, findings: readonly string[]][] = [
    [{ minReplicas: 0 }, ['Invalid spec.minReplicas']],
    [{ maxReplicas: 0 }, ['Invalid spec.maxReplicas', 'Invalid spec.maxReplicas']],
    [{ minReplicas: 4 }, ['Invalid spec.maxReplicas']],
    [{ scaleTargetRef: {} }, ['Required spec.scaleTargetRef.kind', 'Required spec.scaleTargetRef.name']],
    [
      { scaleTargetRef: { kind: 'a/b', name: '..' } },
      ['Invalid spec.scaleTargetRef.kind', 'Invalid spec.scaleTargetRef.name'],
    ],
    [{ metrics: [{}] }, [`Required ${metric$}.type`, `NotSupported ${metric$}.type`]],
    [{ metrics: [{ type: 'Mood' }] }, [`NotSupported ${metric$}.type`]],
    [{ metrics: [{ type: 'constructor' }] }, [`NotSupported ${metric$}.type`]],
    [{ metrics: [{ type: 'Pods' }] }, [`Required ${metric$}.pods`]],
    [
      metric('Pods', { resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 1 } } }),
      [`Required ${metric$}.pods`],
    ],
    [resource({ type: 'Utilization', averageUtilization: 50 }), []],
    [resource({ type: 'Utilization' }), [`Required ${metric$}.resource.target.averageUtilization`]],
    [
      resource({ type: 'Utilization', averageUtilization: 50, averageValue: '1' }),
      [`Forbidden ${metric$}.resource.target.averageValue`],
    ],
    [
      resource({ averageUtilization: 50 }),
      [`Required ${metric$}.resource.target.type`, `Invalid ${metric$}.resource.target.type`],
    ],
    [resource({ type: 'Some', averageUtilization: 50 }), [`Invalid ${metric$}.resource.target.type`]],
    [
      resource({ type: 'Utilization', averageUtilization: 0 }),
      [`Invalid ${metric$}.resource.target.averageUtilization`],
    ],
    [
      metric('Resource', { resource: { target: { type: 'AverageValue', averageValue: '1' } } }),
      [`Required ${metric$}.resource.name`],
    ],
    [
      metric('ContainerResource', {
        containerResource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '1' } },
      }),
      [`Required ${metric$}.containerResource.container`],
    ],
    [pods({ type: 'AverageValue', averageValue: '500m' }), []],
    [pods({ type: 'Value', value: '1' }), [`Required ${metric$}.pods.target.averageValue`]],
    [
      pods({ type: 'AverageValue', averageValue: '0' }),
      [`Invalid ${metric$}.pods.target.averageValue`, `Required ${metric$}.pods.target.averageValue`],
    ],
    [external({ type: 'Value', value: '1' }), []],
    [external({ type: 'Value', value: '-1' }), [`Invalid ${metric$}.external.target.value`]],
    [external({ type: 'Value' }), [`Required ${metric$}.external.target.averageValue`]],
    [
      external({ type: 'Value', value: '1', averageValue: '1' }),
      [`Forbidden ${metric$}.external.target.value`],
    ],
    [external({ type: 'Value', value: '1' }, {}), [`Required ${metric$}.external.metric.name`]],
    [external({ type: 'Value', value: '1' }, { name: 'a/b' }), [`Invalid ${metric$}.external.metric.name`]],
    [external({ type: 'Value', value: '1' }, { name: 'm', selector: { matchLabels: { 'a b': 'c' } } }), []],
    [objectMetric({ type: 'Value', value: '1' }), []],
    [objectMetric({ type: 'Value' }), [`Required ${metric$}.object.target.averageValue`]],
    [
      objectMetric({ type: 'Value', value: '1' }, { kind: 'Ingress' }),
      [`Required ${metric$}.object.describedObject.name`],
    ],
    [down({ stabilizationWindowSeconds: -1 }), [`Invalid ${down$}.stabilizationWindowSeconds`]],
    [down({ stabilizationWindowSeconds: 3601 }), [`Invalid ${down$}.stabilizationWindowSeconds`]],
    [down({ selectPolicy: 'Random' }), [`NotSupported ${down$}.selectPolicy`]],
    [policy({}), []],
    [down({ policies: [] }), [`Required ${down$}.policies`]],
    [policy({ type: 'Nodes' }), [`NotSupported ${down$}.policies[0].type`]],
    [policy({ value: 0 }), [`Invalid ${down$}.policies[0].value`]],
    [policy({ periodSeconds: 0 }), [`Invalid ${down$}.policies[0].periodSeconds`]],
    [policy({ periodSeconds: 1801 }), [`Invalid ${down$}.policies[0].periodSeconds`]],
  ];
  for (const [fields, findings] of cases)
    it(`with ${JSON.stringify(fields)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(createAutoscaler(fields).findings, findings));

  const target = { type: 'Utilization', averageUtilization: 50 };
  const current = { averageUtilization: 70, averageValue: '7', value: '9' };
  for (const [spec, currentMetrics, text] of [
    [resource(target), [], '<unknown>/50%'],
    [resource(target), [{ type: 'Resource', resource: { name: 'cpu', current } }], '70%/50%'],
    [resource({ type: 'AverageValue', averageValue: '5' }), [], '<unknown>/5'],
    [pods({ type: 'AverageValue', averageValue: '5' }), [{ type: 'Pods', pods: { current } }], '7/5'],
    [external({ type: 'Value', value: '5' }), [{ type: 'External', external: { current } }], '9/5'],
    [external({ type: 'AverageValue', averageValue: '5' }), [], '<unknown>/5 (avg)'],
    [objectMetric({ type: 'Value', value: '5' }), [], '<unknown>/5'],
    [
      { metrics: [...resource(target).metrics, ...pods({ averageValue: '5' }).metrics, ...pods({}).metrics] },
      [],
      '<unknown>/50%, <unknown>/5 + 1 more...',
    ],
  ] as const)
    it(`is printed with ${text}`, () => {
      const { object } = createAutoscaler(spec);
      object['status'] = { currentMetrics: [...currentMetrics], currentReplicas: 2 };
      const cells = findDefinition('horizontalpodautoscalers').rules.cells?.(object, 0);
      assert.deepEqual(cells, ['a', 'Deployment/d', text, '1', 3, 2, '<unknown>']);
    });
});

describe('the status of an autoscaler', () => {
  for (const plural of ['horizontalpodautoscalers', 'autoscaling/v1/horizontalpodautoscalers'])
    it(`has no negative counts: ${plural}`, () => {
      const spec = { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3 };
      const old = create(plural, { spec }).object;
      const content = { spec, status: { currentReplicas: -1, desiredReplicas: -1 } };
      assert.deepEqual(update(plural, content, { old, subresource: 'status' }).findings, [
        'Invalid status.currentReplicas',
        'Invalid status.desiredReplicas',
      ]);
    });
});
