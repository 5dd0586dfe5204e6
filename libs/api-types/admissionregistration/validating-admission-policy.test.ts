import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, findDefinition } from '../test-drivers/process.ts';

type Change = Record<string, unknown>;

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const policy = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] };
const at = 'spec.matchConstraints';
const withConstraints = (change: Change) => ({ matchConstraints: { resourceRules: [rule], ...change } });
const withValidation = (change: Change) => ({ validations: [{ expression: 'true', ...change }] });

const policies: readonly [what: string, change: Change, findings: readonly string[]][] = [
  ['nothing wrong', {}, []],
  ['no constraints', { matchConstraints: undefined }, [`Required ${at}`]],
  ['no rules', { matchConstraints: {} }, [`Required ${at}.resourceRules`]],
  [
    'an empty rule',
    withConstraints({ resourceRules: [{}] }),
    ['operations', 'apiGroups', 'apiVersions', 'resources'].map(
      field => `Required ${at}.resourceRules[0].${field}`,
    ),
  ],
  [
    'an empty exclusion',
    withConstraints({ excludeResourceRules: [{ ...rule, resources: [] }] }),
    [`Required ${at}.excludeResourceRules[0].resources`],
  ],
  [
    'a name twice',
    withConstraints({ resourceRules: [{ ...rule, resourceNames: ['a', 'a', ''] }] }),
    [`Duplicate ${at}.resourceRules[0].resourceNames[1]`],
  ],
  [
    'names that no object can have',
    withConstraints({ resourceRules: [{ ...rule, resourceNames: ['a/b', 'system:admin', '..', 'a%2f'] }] }),
    [0, 2, 3].map(index => `Invalid ${at}.resourceRules[0].resourceNames[${index}]`),
  ],
  [
    'exclusions of a name that no object can have',
    withConstraints({ excludeResourceRules: [{ ...rule, resourceNames: ['/', '/'] }] }),
    [
      `Invalid ${at}.excludeResourceRules[0].resourceNames[0]`,
      `Invalid ${at}.excludeResourceRules[0].resourceNames[1]`,
      `Duplicate ${at}.excludeResourceRules[0].resourceNames[1]`,
    ],
  ],
  [
    'a bad selector',
    withConstraints({ namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
    [`Required ${at}.namespaceSelector.matchExpressions[0].values`],
  ],
  ['an unknown match policy', withConstraints({ matchPolicy: 'X' }), [`NotSupported ${at}.matchPolicy`]],
  ['an unknown failure policy', { failurePolicy: 'X' }, ['NotSupported spec.failurePolicy']],
  ['parameters', { paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' } }, []],
  [
    'empty parameters',
    { paramKind: {} },
    ['Required spec.paramKind.apiVersion', 'Required spec.paramKind.kind'],
  ],
  [
    'bad parameters',
    { paramKind: { apiVersion: 'a/b/c', kind: '1' } },
    ['Invalid spec.paramKind.apiVersion', 'Invalid spec.paramKind.kind'],
  ],
  [
    'parameters of a bad group and version',
    { paramKind: { apiVersion: 'A/V', kind: 'Limit' } },
    ['Invalid spec.paramKind.apiVersion', 'Invalid spec.paramKind.apiVersion'],
  ],
  ['no validations', { validations: [] }, ['Required spec.validations']],
  ['a blank expression', withValidation({ expression: ' ' }), ['Required spec.validations[0].expression']],
  ['a blank message', withValidation({ message: ' ' }), ['Invalid spec.validations[0].message']],
  ['a message of two lines', withValidation({ message: 'a\nb' }), ['Invalid spec.validations[0].message']],
  [
    'two lines without a message',
    withValidation({ expression: 'true &&\nfalse' }),
    ['Required spec.validations[0].message'],
  ],
  ['an unknown reason', withValidation({ reason: 'X' }), ['NotSupported spec.validations[0].reason']],
  [
    'a reason for authentication',
    withValidation({ reason: 'Unauthorized' }),
    ['NotSupported spec.validations[0].reason'],
  ],
  ...['Forbidden', 'Invalid', 'RequestEntityTooLarge'].map(
    (reason): [string, ReturnType<typeof withValidation>, string[]] => [
      `the reason ${reason}`,
      withValidation({ reason }),
      [],
    ],
  ),
];

const bindings: readonly [what: string, spec: Change, findings: readonly string[]][] = [
  ['a policy', { policyName: 'p' }, []],
  ['no policy', {}, ['Required spec.policyName']],
  ['a bad policy', { policyName: 'P' }, ['Invalid spec.policyName']],
  ['nameless parameters', { policyName: 'p', paramRef: {} }, ['Required spec.paramRef.name']],
  [
    'bad parameters',
    { policyName: 'p', paramRef: { name: 'a/b', namespace: 'N' } },
    ['Invalid spec.paramRef.name', 'Invalid spec.paramRef.namespace'],
  ],
  [
    'an empty rule',
    { policyName: 'p', matchResources: { resourceRules: [{ ...rule, operations: [] }] } },
    ['Required spec.matchResources.resourceRules[0].operations'],
  ],
  ['everything', { policyName: 'p', matchResources: {} }, []],
];

describe('an admission policy', () => {
  for (const [what, change, findings] of policies)
    it(`with ${what}`, () =>
      assert.deepEqual(
        create('validatingadmissionpolicies', { spec: { ...policy, ...change } }).findings,
        findings,
      ));

  for (const [what, spec, findings] of bindings)
    it(`bound with ${what}`, () =>
      assert.deepEqual(create('validatingadmissionpolicybindings', { spec }).findings, findings));

  it('has defaults, and keeps the groups of its rules as written', () => {
    const { object } = create('validatingadmissionpolicies', {
      spec: {
        ...policy,
        matchConstraints: { resourceRules: [{ ...rule, apiGroups: ['batch', 'node.k8s.io'] }] },
      },
    });
    assert.deepEqual(object['spec'], {
      validations: [{ expression: 'true' }],
      failurePolicy: 'Fail',
      matchConstraints: {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ ...rule, apiGroups: ['batch', 'node.k8s.io'], scope: '*' }],
      },
    });
  });

  it('is printed with its parameters', () => {
    const shown = (plural: string, spec: Change) =>
      findDefinition(plural).rules.cells?.(create(plural, { spec }).object, 0);
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    assert.deepEqual(shown('validatingadmissionpolicies', policy), ['a', 1, '<unset>', '<unknown>']);
    assert.equal(shown('validatingadmissionpolicies', { ...policy, paramKind })?.[2], 'v1/ConfigMap');
    const bound = 'validatingadmissionpolicybindings';
    assert.deepEqual(shown(bound, { policyName: 'p' }), ['a', 'p', '<unset>', '<unknown>']);
    assert.equal(shown(bound, { paramRef: { name: 'x' } })?.[2], 'x');
    assert.equal(shown(bound, { paramRef: { name: 'x', namespace: 'n' } })?.[2], 'n/x');
  });
});
