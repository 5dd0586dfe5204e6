import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, everyGate, update } from '../../test-drivers/process.ts';

const containers = [{ name: 'c', image: 'i:1' }];
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const node = (content: object) => ({ affinity: { nodeAffinity: content } });
const needs = (requirement: object) =>
  node({ [required]: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', ...requirement }] }] } });
const needs$ = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchExpressions[0]`;
const near = (term: object) => ({
  affinity: { podAffinity: { [required]: [{ topologyKey: 'zone', ...term }] } },
});
const near$ = `spec.affinity.podAffinity.${required}[0]`;
const rather = (weight: number, term: object = { topologyKey: 'zone' }) => ({
  affinity: { podAntiAffinity: { [preferred]: [{ weight, podAffinityTerm: term }] } },
});
const rather$ = `spec.affinity.podAntiAffinity.${preferred}[0]`;
/** An empty key is reported twice as an invalid label. */
const emptyKey = (at: string) => [
  `Required ${at}.topologyKey`,
  `Invalid ${at}.topologyKey`,
  `Invalid ${at}.topologyKey`,
];
const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
const spread = (...changes: readonly object[]) => ({
  topologySpreadConstraints: changes.map(change => ({ ...constraint, ...change })),
});
const spread$ = 'spec.topologySpreadConstraints[0]';
const wrongSelector = { matchLabels: { 'a b': '' } };

const cases: readonly [spec: object, findings: readonly string[]][] = [
  [needs({ operator: 'In', values: ['b'] }), []],
  [needs({ operator: 'In' }), [`Required ${needs$}.values`]],
  [needs({ operator: 'Exists', values: ['b'] }), [`Forbidden ${needs$}.values`]],
  [needs({ operator: 'Gt', values: ['1', '2'] }), [`Required ${needs$}.values`]],
  [needs({ operator: 'Exists', key: 'a b' }), [`Invalid ${needs$}.key`]],
  [node({ [required]: {} }), [`Required spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`]],
  [
    node({ [preferred]: [{ weight: 0, preference: {} }] }),
    [`Invalid spec.affinity.nodeAffinity.${preferred}[0].weight`],
  ],
  [
    node({
      [preferred]: [
        { weight: 1, preference: { matchFields: [{ key: 'spec', operator: 'In', values: ['n'] }] } },
      ],
    }),
    [`Invalid spec.affinity.nodeAffinity.${preferred}[0].preference.matchFields[0].key`],
  ],
  [near({}), []],
  [near({ topologyKey: '' }), emptyKey(near$)],
  [near({ topologyKey: 'a b' }), [`Invalid ${near$}.topologyKey`]],
  [near({ namespaces: ['A'] }), [`Invalid ${near$}.namespace`]],
  [near({ labelSelector: wrongSelector }), [`Invalid ${near$}.labelSelector.matchLabels`]],
  [near({ namespaceSelector: wrongSelector }), [`Invalid ${near$}.namespaceSelector.matchLabels`]],
  [rather(100), []],
  [rather(101), [`Invalid ${rather$}.weight`]],
  [rather(1, {}), emptyKey(`${rather$}.podAffinityTerm`)],
  [spread({}), []],
  [spread({ maxSkew: 0 }), [`Invalid ${spread$}.maxSkew`]],
  [spread({ topologyKey: '' }), [`Required ${spread$}.topologyKey`]],
  [spread({ whenUnsatisfiable: '' }), [`NotSupported ${spread$}.whenUnsatisfiable`]],
  [spread({ whenUnsatisfiable: 'Wait' }), [`NotSupported ${spread$}.whenUnsatisfiable`]],
  [spread({ minDomains: 0 }), [`Invalid ${spread$}.minDomains`]],
  [spread({ minDomains: 1, whenUnsatisfiable: 'ScheduleAnyway' }), [`Invalid ${spread$}.minDomains`]],
  [spread({ nodeTaintsPolicy: 'Maybe' }), [`NotSupported ${spread$}.nodeTaintsPolicy`]],
  [spread({ labelSelector: wrongSelector }), [`Invalid ${spread$}.labelSelector.matchLabels`]],
  [spread({ labelSelector: {}, matchLabelKeys: ['a b'] }), [`Invalid ${spread$}.matchLabelKeys[0]`]],
  [spread({ matchLabelKeys: ['a'] }), [`Forbidden ${spread$}.matchLabelKeys`]],
  [
    spread({ labelSelector: { matchLabels: { a: '' } }, matchLabelKeys: ['a'] }),
    [`Invalid ${spread$}.matchLabelKeys[0]`],
  ],
  [
    spread({}, { maxSkew: 2 }),
    ['Duplicate spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}'],
  ],
  [spread({}, { whenUnsatisfiable: 'ScheduleAnyway' }), []],
  [{ readinessGates: [{ conditionType: 'a b' }] }, ['Invalid spec.readinessGates[0].conditionType']],
  [{ schedulingGates: [{ name: 'a' }, { name: 'a' }] }, ['Duplicate spec.schedulingGates[1]']],
  [
    { schedulingGates: [{ name: '' }] },
    ['Invalid spec.schedulingGates[0]', 'Invalid spec.schedulingGates[0]'],
  ],
  [{ schedulingGates: [{ name: 'a' }], nodeName: 'n' }, ['Forbidden spec.nodeName']],
  [{ nodeSelector: { 'a b': '' } }, ['Invalid spec.nodeSelector']],
];

describe('the placement of pods', () => {
  for (const [spec, findings] of cases)
    it(`with ${JSON.stringify(spec)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('pods', { spec: { containers, ...spec } }, everyGate).findings, findings));
});

it('scheduling gates can be removed, not added', () => {
  const gated = (...names: readonly string[]) => ({
    containers,
    schedulingGates: names.map(name => ({ name })),
  });
  const old = create('pods', { spec: gated('a', 'b') }, everyGate).object;
  const listFindings = (...names: readonly string[]) =>
    update('pods', { spec: gated(...names) }, { old }).findings;
  assert.deepEqual(listFindings('b'), []);
  assert.deepEqual(listFindings(), []);
  assert.deepEqual(listFindings('a', 'c'), ['Forbidden spec.schedulingGates[1].name']);
});
