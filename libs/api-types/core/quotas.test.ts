import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, update } from '../test-drivers/process.ts';

type Content = Record<string, unknown>;
type Case = readonly [what: string, content: Content, findings: readonly string[]];

const hard = (amounts: Content, rest: Content = {}) => ({ spec: { hard: amounts, ...rest } });
const selecting = (...matchExpressions: Content[]) =>
  hard({ pods: '1' }, { scopeSelector: { matchExpressions } });
const first = 'spec.scopeSelector.matchExpressions';

const quotas: readonly Case[] = [
  ['nothing', {}, []],
  [
    'resources of every kind',
    hard({
      cpu: '1',
      'limits.memory': '1Gi',
      'requests.storage': '1Gi',
      'services.nodeports': '2',
      'count/deployments.apps': '3',
      'requests.example.com/gpu': '1',
      'hugepages-2Mi': '0',
    }),
    [],
  ],
  [
    'resources that are unknown or of something else',
    hard({ speed: '1', storage: '1' }),
    ['Invalid spec.hard[speed]', 'Invalid spec.hard[speed]', 'Invalid spec.hard[storage]'],
  ],
  [
    'amounts below nothing and in pieces',
    hard({ cpu: '-1', pods: '500m' }),
    ['Invalid spec.hard[cpu]', 'Invalid spec.hard[pods]'],
  ],
  ['a scope', hard({ pods: '1', cpu: '1' }, { scopes: ['Terminating'] }), []],
  ['an unknown scope', hard({ pods: '1' }, { scopes: ['X'] }), ['Invalid spec.scopes']],
  [
    'a scope of things that have none',
    hard({ services: '1' }, { scopes: ['Terminating'] }),
    ['Invalid spec.scopes'],
  ],
  [
    'an amount of what best effort does not ask for',
    hard({ cpu: '1' }, { scopes: ['BestEffort'] }),
    ['Invalid spec.scopes'],
  ],
  [
    'scopes that exclude each other',
    hard({ pods: '1' }, { scopes: ['Terminating', 'NotTerminating'] }),
    ['Invalid spec.scopes'],
  ],
  ['selected classes', selecting({ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }), []],
  [
    'no selected classes',
    selecting({ scopeName: 'PriorityClass', operator: 'In' }),
    [`Required ${first}.values`],
  ],
  [
    'classes that only need to be there, and some',
    selecting({ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }),
    [`Invalid ${first}.values`],
  ],
  [
    'selected endings',
    selecting({ scopeName: 'Terminating', operator: 'In', values: ['a'] }),
    [`Invalid ${first}.operator`],
  ],
  [
    'an unknown relation',
    selecting({ scopeName: 'PriorityClass', operator: 'Like' }),
    [`Invalid ${first}.operator`],
  ],
  ['no relation', selecting({ scopeName: 'PriorityClass' }), [`Invalid ${first}.operator`]],
  ['no selected scope', selecting({ operator: 'Exists' }), [`Invalid ${first}.scopeName`]],
  [
    'selected scopes that exclude each other',
    selecting(
      { scopeName: 'BestEffort', operator: 'Exists' },
      { scopeName: 'NotBestEffort', operator: 'Exists' },
    ),
    ['Invalid spec.scopeSelector.matchExpressions'],
  ],
  [
    'a selected scope of things that have none',
    hard(
      { secrets: '1' },
      { scopeSelector: { matchExpressions: [{ scopeName: 'Terminating', operator: 'Exists' }] } },
    ),
    [`Invalid ${first}`],
  ],
];

const limits = (...items: Content[]) => ({ spec: { limits: items } });
const container = (content: Content) => limits({ type: 'Container', ...content });
const item = 'spec.limits[0]';

const limitRanges: readonly Case[] = [
  ['nothing', limits(), []],
  [
    'bounds of everything',
    limits(
      { type: 'Pod', max: { cpu: '1' } },
      { type: 'Container', min: { cpu: '1' } },
      { type: 'a.b/c', max: { cpu: '1' } },
    ),
    [],
  ],
  ['no type', limits({}), [`Invalid ${item}.type`, `Invalid ${item}.type`]],
  ['an unknown type', limits({ type: 'Node' }), [`Invalid ${item}.type`]],
  ['a type twice', limits({ type: 'Pod' }, { type: 'Pod' }), ['Duplicate spec.limits[1].type']],
  [
    'what containers have not',
    container({ max: { pods: '1' } }),
    [
      'Invalid spec.limits[0].max[pods]',
      'Invalid spec.limits[0].default[pods]',
      'Invalid spec.limits[0].defaultRequest[pods]',
    ],
  ],
  [
    'defaults of pods',
    limits({ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }),
    [`Forbidden ${item}.default`, `Forbidden ${item}.defaultRequest`],
  ],
  [
    'defaults of pods of what there is not',
    limits({ type: 'Pod', default: { bogus: '1' } }),
    [`Forbidden ${item}.default`],
  ],
  ['claims without storage', limits({ type: 'PersistentVolumeClaim' }), [`Required ${item}.limits`]],
  ['claims with storage', limits({ type: 'PersistentVolumeClaim', min: { storage: '1Gi' } }), []],
  [
    'bounds that cross',
    limits({ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }),
    [`Invalid ${item}.min[cpu]`],
  ],
  [
    'a request below the least',
    container({ min: { cpu: '2' }, default: { cpu: '2' }, defaultRequest: { cpu: '1' } }),
    [`Invalid ${item}.defaultRequest[cpu]`],
  ],
  [
    'a request above the most and the limit',
    container({ max: { cpu: '2' }, defaultRequest: { cpu: '3' } }),
    [`Invalid ${item}.defaultRequest[cpu]`, `Invalid ${item}.defaultRequest[cpu]`],
  ],
  [
    'a limit below the least',
    container({ min: { cpu: '2' }, default: { cpu: '1' }, defaultRequest: { cpu: '2' } }),
    [`Invalid ${item}.defaultRequest[cpu]`, `Invalid ${item}.default[cpu]`],
  ],
  [
    'a limit above the most',
    container({ max: { cpu: '2' }, default: { cpu: '3' }, defaultRequest: { cpu: '1' } }),
    [`Invalid ${item}.default[cpu]`],
  ],
  [
    'a ratio below one',
    container({ maxLimitRequestRatio: { cpu: '500m' } }),
    [`Invalid ${item}.maxLimitRequestRatio[cpu]`],
  ],
  [
    'a ratio beyond the bounds',
    limits({ type: 'Pod', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }),
    [`Invalid ${item}.maxLimitRequestRatio[cpu]`],
  ],
  [
    'a limit other than the request of what cannot be shared',
    container({ default: { 'a.b/gpu': '2' }, defaultRequest: { 'a.b/gpu': '1' } }),
    [`Invalid ${item}.defaultRequest[a.b/gpu]`],
  ],
];

for (const [kind, plural, cases] of [
  ['a resource quota', 'resourcequotas', quotas],
  ['a limit range', 'limitranges', limitRanges],
] as const)
  describe(kind, () => {
    for (const [what, content, findings] of cases)
      it(`with ${what}: ${findings.join() || 'valid'}`, () =>
        assert.deepEqual(create(plural, content).findings, findings));
  });

const podAmounts = [
  'pods',
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
];
const otherStandardAmounts = [
  ...['ephemeral-storage', 'requests.ephemeral-storage', 'limits.ephemeral-storage', 'requests.storage'],
  ...['services', 'services.nodeports', 'services.loadbalancers', 'replicationcontrollers', 'resourcequotas'],
  ...['secrets', 'configmaps', 'persistentvolumeclaims', 'hugepages-2Mi', 'requests.hugepages-2Mi'],
];
const scopedFreely = [
  ...['count/pods', 'count/deployments.apps', 'count/widgets.example.com'],
  ...['requests.nvidia.com/gpu', 'requests.example.com/disk'],
  ...['gold.storageclass.storage.k8s.io/requests.storage'],
  ...['gold.storageclass.storage.cluster.io/persistentvolumeclaims'],
];

describe('a resource quota with a scope', () => {
  for (const scope of [
    ...['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating'],
    ...['PriorityClass', 'CrossNamespacePodAffinity'],
  ])
    for (const name of [...podAmounts, ...otherStandardAmounts, ...scopedFreely]) {
      const isTaken =
        scopedFreely.includes(name) || (scope === 'BestEffort' ? name === 'pods' : podAmounts.includes(name));
      it(`${isTaken ? 'may limit' : 'cannot limit'} ${name} of ${scope}`, () => {
        const named = create('resourcequotas', hard({ [name]: '1' }, { scopes: [scope] }));
        assert.deepEqual(named.findings, isTaken ? [] : ['Invalid spec.scopes']);
        const scopeSelector = { matchExpressions: [{ scopeName: scope, operator: 'Exists' }] };
        const selected = create('resourcequotas', hard({ [name]: '1' }, { scopeSelector }));
        assert.deepEqual(selected.findings, isTaken ? [] : [`Invalid ${first}`]);
      });
    }
});

describe('a resource quota', () => {
  it('reports each unfitting scope once, however many resources and requirements there are', () => {
    const amounts = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`hugepages-${i + 1}`, '0']));
    const named = create(
      'resourcequotas',
      hard(amounts, { scopes: Array.from({ length: 10_000 }, () => 'Terminating') }),
    );
    assert.deepEqual(named.findings, ['Invalid spec.scopes']);
    const matchExpressions = Array.from({ length: 5_000 }, () => ({
      scopeName: 'Terminating',
      operator: 'Exists',
    }));
    const selected = create('resourcequotas', hard(amounts, { scopeSelector: { matchExpressions } }));
    assert.deepEqual(selected.findings, ['Invalid spec.scopeSelector.matchExpressions']);
  });

  it('cannot change its scopes, but their order and its amounts', () => {
    const scoped = (...scopes: string[]) => hard({ pods: '1' }, { scopes });
    const old = create('resourcequotas', scoped('Terminating', 'NotBestEffort')).object;
    const change = (content: Content) => update('resourcequotas', content, { old }).findings;
    assert.deepEqual(change(scoped('NotBestEffort', 'Terminating')), []);
    assert.deepEqual(change(scoped('Terminating')), ['Invalid spec.scopes']);
  });

  it('has its status validated', () => {
    const old = create('resourcequotas', hard({ pods: '1' })).object;
    const content = { status: { hard: { speed: '1' }, used: { pods: '-1' } } };
    assert.deepEqual(update('resourcequotas', content, { old, subresource: 'status' }).findings, [
      'Invalid status.hard[speed]',
      'Invalid status.hard[speed]',
      'Invalid status.used[pods]',
    ]);
  });
});

describe('a limit range', () => {
  for (const [what, content, expected] of [
    [
      'the most becomes the default',
      { max: { cpu: '2' } },
      { default: { cpu: '2' }, defaultRequest: { cpu: '2' } },
    ],
    ['the default is asked for', { default: { cpu: '2' } }, { defaultRequest: { cpu: '2' } }],
    ['the least is asked for', { min: { cpu: '1' } }, { defaultRequest: { cpu: '1' } }],
    ['what is said is kept', { max: { cpu: '3' }, default: { cpu: '2' }, defaultRequest: { cpu: '1' } }, {}],
  ] as const)
    it(`of containers: ${what}`, () => {
      const { object } = create('limitranges', container(content));
      assert.deepEqual(object['spec'], { limits: [{ type: 'Container', ...content, ...expected }] });
    });

  it('has no defaults for pods', () => {
    const content = limits({ type: 'Pod', max: { cpu: '2' } });
    assert.deepEqual(create('limitranges', content).object['spec'], content.spec);
  });
});
