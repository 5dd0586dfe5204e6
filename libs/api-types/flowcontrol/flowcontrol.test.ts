import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, findDefinition } from '../test-drivers/process.ts';

type Findings = readonly string[];
type Change = Record<string, unknown>;

const subject = { kind: 'User', user: { name: 'u' } };
const resourceRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] };
const rule = { subjects: [subject], resourceRules: [resourceRule] };
const schema = { priorityLevelConfiguration: { name: 'p' }, matchingPrecedence: 1000, rules: [rule] };
const at = 'spec.rules[0]';
const withSubject = (change: Change) => ({ rules: [{ ...rule, subjects: [change] }] });
const withResource = (change: Change) => ({
  rules: [{ ...rule, resourceRules: [{ ...resourceRule, ...change }] }],
});
const withUrl = (...urls: string[]) => ({
  rules: [{ subjects: [subject], nonResourceRules: [{ verbs: ['get'], nonResourceURLs: urls }] }],
});

const schemas: readonly [what: string, change: Change, findings: Findings][] = [
  ['nothing wrong', {}, []],
  ['no level', { priorityLevelConfiguration: undefined }, ['Required spec.priorityLevelConfiguration.name']],
  [
    'a bad level',
    { priorityLevelConfiguration: { name: 'A' } },
    ['Invalid spec.priorityLevelConfiguration.name'],
  ],
  ['a negative precedence', { matchingPrecedence: -1 }, ['Invalid spec.matchingPrecedence']],
  ['the precedence 1', { matchingPrecedence: 1 }, ['Invalid spec.matchingPrecedence']],
  ['a precedence of 10001', { matchingPrecedence: 10_001 }, ['Invalid spec.matchingPrecedence']],
  ['a distinguisher', { distinguisherMethod: { type: 'ByUser' } }, []],
  [
    'an unknown distinguisher',
    { distinguisherMethod: { type: 'X' } },
    ['NotSupported spec.distinguisherMethod.type'],
  ],
  ['an empty rule', { rules: [{}] }, [`Required ${at}.subjects`, `Required ${at}`]],
  ['an unknown subject', withSubject({ kind: 'X' }), [`NotSupported ${at}.subjects[0].kind`]],
  [
    'a subject of two kinds',
    withSubject({ ...subject, group: { name: 'g' } }),
    [`Forbidden ${at}.subjects[0].group`],
  ],
  ['a subject of no kind', withSubject({ kind: 'Group' }), [`Required ${at}.subjects[0].group`]],
  [
    'a subject without name',
    withSubject({ kind: 'Group', group: {} }),
    [`Required ${at}.subjects[0].group.name`],
  ],
  [
    'every service account of a namespace',
    withSubject({ kind: 'ServiceAccount', serviceAccount: { namespace: 'n', name: '*' } }),
    [],
  ],
  [
    'a service account without names',
    withSubject({ kind: 'ServiceAccount', serviceAccount: {} }),
    ['name', 'namespace'].map(field => `Required ${at}.subjects[0].serviceAccount.${field}`),
  ],
  [
    'a service account with bad names',
    withSubject({ kind: 'ServiceAccount', serviceAccount: { namespace: 'A', name: 'B' } }),
    ['name', 'namespace'].map(field => `Invalid ${at}.subjects[0].serviceAccount.${field}`),
  ],
  [
    'a resource rule without anything',
    { rules: [{ ...rule, resourceRules: [{}] }] },
    ['verbs', 'apiGroups', 'resources', 'namespaces'].map(
      field => `Required ${at}.resourceRules[0].${field}`,
    ),
  ],
  ['the cluster scope', withResource({ namespaces: [], clusterScope: true }), []],
  ['an unknown verb', withResource({ verbs: ['x'] }), [`NotSupported ${at}.resourceRules[0].verbs`]],
  [
    'wildcards beside others',
    withResource({
      verbs: ['*', 'get'],
      apiGroups: ['*', ''],
      resources: ['*', 'x'],
      namespaces: ['*', 'n'],
    }),
    ['verbs', 'apiGroups', 'resources', 'namespaces'].map(field => `Invalid ${at}.resourceRules[0].${field}`),
  ],
  ['a bad namespace', withResource({ namespaces: ['N'] }), [`Invalid ${at}.resourceRules[0].namespaces[0]`]],
  ['paths', withUrl('/healthz', '/x/*', '/'), []],
  [
    'paths that are none',
    withUrl('', 'x', '/a b', '/a//b', '/*/b', '/a*'),
    ['Required', 'Invalid', 'Invalid', 'Invalid', 'Invalid', 'Invalid'].map(
      (type, index) => `${type} ${at}.nonResourceRules[0].nonResourceURLs[${index}]`,
    ),
  ],
];

const queuing = { queues: 64, handSize: 6, queueLengthLimit: 50 };
const limited = { nominalConcurrencyShares: 30, limitResponse: { type: 'Queue', queuing } };
const level = { type: 'Limited', limited };
const withQueuing = (change: Change) => ({
  limited: { ...limited, limitResponse: { type: 'Queue', queuing: { ...queuing, ...change } } },
});
const response = 'spec.limited.limitResponse';

const levels: readonly [what: string, change: Change, findings: Findings][] = [
  ['nothing wrong', {}, []],
  ['no type', { type: undefined }, ['Required spec.type']],
  ['an unknown type', { type: 'X' }, ['NotSupported spec.type']],
  ['no limits', { limited: undefined }, ['Required spec.limited']],
  ['the type of another', { type: 'Exempt' }, ['Invalid spec.type', 'Forbidden spec.limited']],
  [
    'a negative share',
    { limited: { ...limited, nominalConcurrencyShares: -1 } },
    ['Invalid spec.limited.nominalConcurrencyShares'],
  ],
  [
    'too much to lend',
    { limited: { ...limited, lendablePercent: 101 } },
    ['Invalid spec.limited.lendablePercent'],
  ],
  [
    'a negative bound',
    { limited: { ...limited, borrowingLimitPercent: -1 } },
    ['Invalid spec.limited.borrowingLimitPercent'],
  ],
  ['no response', { limited: { limitResponse: {} } }, [`Required ${response}.type`]],
  ['an unknown response', { limited: { limitResponse: { type: 'X' } } }, [`NotSupported ${response}.type`]],
  [
    'queues without figures',
    { limited: { limitResponse: { type: 'Queue' } } },
    [`Required ${response}.queuing`],
  ],
  [
    'a rejection with queues',
    { limited: { limitResponse: { type: 'Reject', queuing } } },
    [`Forbidden ${response}.queuing`],
  ],
  [
    'negative figures',
    withQueuing({ queues: -1, handSize: -2, queueLengthLimit: -1 }),
    ['queueLengthLimit', 'queues', 'handSize'].map(field => `Invalid ${response}.queuing.${field}`),
  ],
  ['too many queues', withQueuing({ queues: 10_000_001 }), [`Invalid ${response}.queuing.queues`]],
  ['a hand of more than all', withQueuing({ queues: 5 }), [`Invalid ${response}.queuing.handSize`]],
  [
    'a hand that cannot be dealt',
    withQueuing({ queues: 1024, handSize: 8 }),
    [`Invalid ${response}.queuing.handSize`],
  ],
];

describe('flow control', () => {
  for (const [what, change, findings] of schemas)
    it(`a flow schema with ${what}`, () =>
      assert.deepEqual(create('flowschemas', { spec: { ...schema, ...change } }).findings, findings));

  for (const [what, change, findings] of levels)
    it(`a priority level with ${what}`, () =>
      assert.deepEqual(
        create('prioritylevelconfigurations', { spec: { ...level, ...change } }).findings,
        findings,
      ));

  it('has defaults', () => {
    const { object } = create('prioritylevelconfigurations', {
      spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } },
    });
    assert.deepEqual(object['spec'], {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 30,
        lendablePercent: 0,
        limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
      },
    });
    const { matchingPrecedence } = create('flowschemas', { spec: {} }).object['spec'] as Change;
    assert.equal(matchingPrecedence, 1000);
  });

  it('protects the objects that keep the server reachable', () => {
    const metadata = { name: 'exempt' };
    const rules = [
      {
        subjects: [{ kind: 'Group', group: { name: 'system:masters' } }],
        resourceRules: [
          { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
        ],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      },
    ];
    const exempt = { priorityLevelConfiguration: { name: 'exempt' }, matchingPrecedence: 1, rules };
    assert.deepEqual(create('flowschemas', { metadata, spec: exempt }).findings, []);
    assert.deepEqual(create('flowschemas', { metadata, spec: { ...exempt, rules: [] } }).findings, [
      'Invalid spec',
    ]);
    assert.deepEqual(
      create('prioritylevelconfigurations', { metadata, spec: { type: 'Exempt' } }).findings,
      [],
    );
    assert.deepEqual(
      create('prioritylevelconfigurations', { metadata: { name: 'catch-all' }, spec: level }).findings,
      ['Invalid spec'],
    );
  });

  it('is printed with its figures', () => {
    const shown = (plural: string, spec: Change) =>
      findDefinition(plural).rules.cells?.(create(plural, { spec }).object, 0);
    assert.deepEqual(shown('flowschemas', schema), ['a', 'p', 1000, '<none>', '<unknown>', '?']);
    assert.deepEqual(shown('prioritylevelconfigurations', level), [
      'a',
      'Limited',
      30,
      64,
      6,
      50,
      '<unknown>',
    ]);
    assert.deepEqual(shown('prioritylevelconfigurations', { type: 'Exempt' })?.slice(1, 4), [
      'Exempt',
      '<none>',
      '<none>',
    ]);
  });

  it('has the old name of concurrency shares in v1beta2', () => {
    const plural = 'flowcontrol.apiserver.cluster.io/v1beta2/prioritylevelconfigurations';
    const { nominalConcurrencyShares: _, ...rest } = limited;
    const negative = { ...rest, assuredConcurrencyShares: -1 };
    const refused = create(plural, { spec: { type: 'Limited', limited: negative } });
    assert.deepEqual(refused.findings, ['Invalid spec.limited.assuredConcurrencyShares']);
    const { object, findings } = create(plural, { spec: { type: 'Limited', limited: rest } });
    assert.deepEqual(findings, []);
    const { cells, conversion } = findDefinition(plural).rules;
    assert.equal(cells?.(object, 0)[2], 30);
    const sent = structuredClone(object);
    conversion?.toStorage(object);
    assert.deepEqual(object['spec'], { type: 'Limited', limited: { ...limited, lendablePercent: 0 } });
    conversion?.fromStorage(object);
    assert.deepEqual(object, sent);
  });
});
