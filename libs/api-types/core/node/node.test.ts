import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, createObject, findDefinition, update } from '../../test-drivers/process.ts';

type Content = Record<string, unknown>;
type Case = readonly [what: string, content: Content, findings: readonly string[]];

const taints = (...items: Content[]) => ({ spec: { taints: items } });
const status = (content: Content) => ({ status: content });

const annotations = 'Invalid metadata.annotations';
const at = (name: string) => `${annotations}.scheduler.alpha.cluster.io/${name}`;
const annotated = (content: Content) => ({ metadata: { annotations: content } });

const cases: readonly Case[] = [
  ['nothing', {}, []],
  [
    'taints',
    taints({ key: 'a/b', effect: 'NoSchedule' }, { key: 'a/b', value: 'c', effect: 'NoExecute' }),
    [],
  ],
  [
    'a taint twice',
    taints({ key: 'a', effect: 'NoExecute' }, { key: 'a', value: 'b', effect: 'NoExecute' }),
    ['Duplicate metadata.taints[1]'],
  ],
  ['a taint without effect', taints({ key: 'a' }), ['Required metadata.taints[0].effect']],
  [
    'a taint of unknown effect',
    taints({ key: 'a', effect: 'Never' }),
    ['NotSupported metadata.taints[0].effect'],
  ],
  [
    'a taint of bad key and value',
    taints({ key: 'a b', value: 'a b', effect: 'NoSchedule' }),
    ['Invalid metadata.taints[0].key', 'Invalid metadata.taints[0].value'],
  ],
  ['a range of pod addresses', { spec: { podCIDR: '10.0.0.0/24' } }, []],
  ['ranges of both versions', { spec: { podCIDRs: ['10.0.0.0/24', 'fd00::/64'] } }, []],
  ['no range', { spec: { podCIDRs: ['10.0.0.0'] } }, ['Invalid spec.podCIDRs[0]']],
  [
    'two ranges of one version',
    { spec: { podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] } },
    ['Invalid spec.podCIDRs'],
  ],
  [
    'three ranges',
    { spec: { podCIDRs: ['10.0.0.0/24', 'fd00::/64', '10.0.1.0/24'] } },
    ['Invalid spec.podCIDRs'],
  ],
  ['resources', status({ capacity: { cpu: '4', 'example.com/gpu': '2', 'hugepages-2Mi': '0' } }), []],
  [
    'resources that are negative, in pieces and unknown',
    status({ capacity: { memory: '-1', pods: '1500m', speed: '1' }, allocatable: { cpu: '1' } }),
    ['Invalid status.capacity.memory', 'Invalid status.capacity.pods'],
  ],
  [
    'annotations of other meanings',
    annotated({ 'other/taints': 'x', 'scheduler.alpha.cluster.io/taints': '' }),
    [],
  ],
  ...[
    ['taints', '[{"key":"a","effect":"NoSchedule"}]', []],
    ['taints', 'null', []],
    ['taints', 'x', [annotations]],
    ['taints', '{}', [annotations]],
    ['taints', '[{"key":1}]', [annotations]],
    ['taints', '[{"key":"a b"}]', [`${at('taints')}[0].key`, `Required ${at('taints').slice(8)}[0].effect`]],
    ['preferAvoidPods', '{"preferAvoidPods":[{"podSignature":{"podController":{"controller":true}}}]}', []],
    ['preferAvoidPods', '{}', []],
    ['preferAvoidPods', '[', [`${annotations}.AvoidPods`]],
    [
      'preferAvoidPods',
      '{"preferAvoidPods":[{}]}',
      [`Required ${at('preferAvoidPods').slice(8)}[0].PodSignature`],
    ],
    [
      'preferAvoidPods',
      '{"preferAvoidPods":[{"podSignature":{"podController":{"kind":"K"}}}]}',
      [`${at('preferAvoidPods')}[0].PodSignature.PodController.Controller`],
    ],
  ].map(
    ([name, value, findings]) =>
      [
        `the annotation of ${name} ${value}`,
        annotated({ [`scheduler.alpha.cluster.io/${name}`]: value }),
        findings,
      ] as Case,
  ),
  ['a condition of no type', status({ conditions: [{ status: 'True' }] }), []],
];

describe('a node', () => {
  for (const [what, content, findings] of cases)
    it(`with ${what}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('nodes', content).findings, findings));

  it('may be created with a status', () => {
    const { object } = create('nodes', status({ capacity: { cpu: '1' }, phase: 'Running' }));
    const { allocatable, capacity, phase } = object['status'] as Content;
    assert.deepEqual([allocatable, capacity, phase], [{ cpu: '1' }, { cpu: '1' }, 'Running']);
  });

  for (const [spec, single, ranges] of [
    [{ podCIDR: '10.0.0.0/24' }, '10.0.0.0/24', ['10.0.0.0/24']],
    [{ podCIDRs: ['10.0.0.0/24', 'fd00::/64'] }, '10.0.0.0/24', ['10.0.0.0/24', 'fd00::/64']],
    [{ podCIDR: '10.0.1.0/24', podCIDRs: ['10.0.0.0/24'] }, '10.0.1.0/24', ['10.0.1.0/24']],
  ] as const)
    it(`has the first pod CIDR of ${JSON.stringify(spec)} in both fields`, () =>
      assert.deepEqual(create('nodes', { spec }).object['spec'], { podCIDR: single, podCIDRs: ranges }));

  it('cannot change the fields that identify it', () => {
    const first = create('nodes', {}).object;
    const set = update('nodes', { spec: { podCIDR: '10.0.0.0/24', providerID: 'a' } }, { old: first });
    assert.deepEqual(set.findings, []);
    const changed = {
      spec: { podCIDR: '10.0.1.0/24', providerID: 'b', externalID: 'c', unschedulable: true },
    };
    assert.deepEqual(
      update('nodes', changed, { old: set.object }).findings,
      ['podCIDRs', 'providerID', 'externalID'].map(field => `Forbidden spec.${field}`),
    );
  });

  it('has its status validated in status updates', () => {
    const old = create('nodes', {}).object;
    const report = update('nodes', status({ capacity: { cpu: '-1' } }), { old, subresource: 'status' });
    assert.deepEqual(report.findings, ['Invalid status.capacity.cpu', 'Invalid status.allocatable.cpu']);
  });

  it('refuses repeated addresses', () => {
    const old = create('nodes', {}).object;
    const address = { type: 'InternalIP', address: '10.0.0.1' };
    const twice = { status: { addresses: [address, address] } };
    for (const subresource of ['', 'status'])
      assert.deepEqual(update('nodes', twice, { old: { ...old, ...twice }, subresource }).findings, [
        'Duplicate status.addresses[1]',
      ]);
  });

  it('can be selected by spec.unschedulable', () => {
    const { rules } = findDefinition('nodes');
    assert.deepEqual(rules.selectableFields?.(createObject('nodes', {})), { 'spec.unschedulable': 'false' });
    const off = createObject('nodes', { spec: { unschedulable: true } });
    assert.deepEqual(rules.selectableFields?.(off), { 'spec.unschedulable': 'true' });
  });
});
