import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject } from '@binnacle/api-objects';
import { canonicalGroup } from '@binnacle/api-types';
import { parseYamlAtOnce } from '@binnacle/codecs/texts';
import type { User } from '../../request/api-request.ts';
import { parseRequestTarget } from '../../request/parse-request-target.ts';
import { createAuditDecider } from './create-audit-decider.ts';
import { parseAuditPolicy } from './parse-audit-policy.ts';

function policyFrom(rules: string, more = '') {
  const { value } = parseYamlAtOnce(
    Buffer.from(`apiVersion: audit.cluster.io/v1\nkind: Policy\n${more}\nrules:\n${rules}`),
  );
  assert.ok(isJsonObject(value));
  return parseAuditPolicy(value);
}

const alice: User = { username: 'alice', uid: '', groups: ['devs', 'qa'], extra: {} };

function decisionOn(
  rules: string,
  request: string,
  { user = alice, more = '' }: { user?: User | 'unauthenticated'; more?: string } = {},
) {
  const [method = '', url = ''] = request.split(' ');
  const [path = '', query = ''] = url.split('?');
  const line = { method, path, query: new URLSearchParams(query) };
  return createAuditDecider(policyFrom(rules, more))(
    user === 'unauthenticated' ? undefined : user,
    parseRequestTarget(line, canonicalGroup),
  );
}

const pods = 'GET /api/v1/namespaces/a/pods';
const matching: readonly (readonly [rule: string, request: string, matches: boolean])[] = [
  ['{}', pods, true],
  ['users: [alice]', pods, true],
  ['users: [bob]', pods, false],
  ['userGroups: [ops, qa]', pods, true],
  ['userGroups: [ops]', pods, false],
  ['users: [alice], userGroups: [ops]', pods, false],
  ['verbs: [list]', pods, true],
  ['verbs: [get]', pods, false],
  ['verbs: [watch]', `${pods}?watch=1`, true],
  ['verbs: [deletecollection]', 'DELETE /api/v1/namespaces/a/pods', true],
  ['verbs: [get]', 'GET /version', true],
  ['namespaces: [a]', pods, true],
  ['namespaces: [b]', pods, false],
  ['namespaces: [""]', pods, false],
  ['namespaces: [""]', 'GET /api/v1/nodes/n', true],
  ['namespaces: [a]', 'GET /version', false],
  ['resources: [{group: ""}]', pods, true],
  ['resources: [{group: apps}]', pods, false],
  [
    'resources: [{group: rbac.authorization.k8s.io}]',
    'GET /apis/rbac.authorization.cluster.io/v1/roles',
    true,
  ],
  [
    'resources: [{group: rbac.authorization.cluster.io}]',
    'GET /apis/rbac.authorization.k8s.io/v1/roles',
    true,
  ],
  ['resources: [{resources: [pods]}]', pods, true],
  ['resources: [{resources: [pods]}]', `${pods}/p/log`, false],
  ['resources: [{resources: [pods/log]}]', `${pods}/p/log`, true],
  ['resources: [{resources: [pods/log]}]', `${pods}/p`, false],
  ['resources: [{resources: [pods/*]}]', `${pods}/p/log`, true],
  ['resources: [{resources: [pods/*]}]', pods, true],
  ['resources: [{resources: ["*/status"]}]', 'PUT /api/v1/namespaces/a/pods/p/status', true],
  ['resources: [{resources: ["*/status"]}]', `${pods}/p`, false],
  ['resources: [{resources: ["*"]}]', `${pods}/p/log`, true],
  ['resources: [{resources: [pods], resourceNames: [p]}]', `${pods}/p`, true],
  ['resources: [{resources: [pods], resourceNames: [p]}]', `${pods}/q`, false],
  ['resources: [{resources: [pods], resourceNames: [p]}]', pods, false],
  ['resources: [{resources: [pods], resourceNames: [p]}]', `${pods}?fieldSelector=metadata.name%3Dp`, true],
  ['resources: [{}]', 'GET /version', false],
  ['nonResourceURLs: [/version]', 'GET /version', true],
  ['nonResourceURLs: [/healthz*]', 'GET /healthz/ping', true],
  ['nonResourceURLs: [/healthz]', 'GET /healthz/ping', false],
  ['nonResourceURLs: ["*"]', 'GET /metrics', true],
  ['nonResourceURLs: ["*"]', pods, false],
];
for (const [rule, request, matches] of matching)
  test(`the rule "${rule}" ${matches ? 'matches' : 'does not match'} ${request}`, () => {
    const { level } = decisionOn(`- {level: Request${rule === '{}' ? '' : `, ${rule}`}}`, request);
    assert.equal(level, matches ? 'Request' : 'None');
  });

test('a request without an authenticated user matches only rules that name neither users nor groups', () => {
  const rules =
    '- {level: Request, users: [""]}\n- {level: Request, userGroups: [devs]}\n- {level: Metadata}';
  assert.equal(decisionOn(rules, pods, { user: 'unauthenticated' }).level, 'Metadata');
});

test('the first matching rule decides', () => {
  const rules = '- {level: None, users: [bob]}\n- {level: Request, verbs: [list]}\n- {level: Metadata}';
  assert.equal(decisionOn(rules, pods).level, 'Request');
  assert.equal(decisionOn(rules, `${pods}/p`).level, 'Metadata');
});

test('stages are omitted by the policy and the rule, managed fields by the rule or else the policy', () => {
  const more = 'omitStages: [RequestReceived]\nomitManagedFields: true';
  const found = (rule: string) => {
    const { omitStages, omitManagedFields } = decisionOn(`- {level: Request${rule}}`, pods, { more });
    return [[...omitStages], omitManagedFields];
  };
  assert.deepEqual(found(''), [['RequestReceived'], true]);
  assert.deepEqual(found(', omitStages: [Panic], omitManagedFields: false'), [
    ['RequestReceived', 'Panic'],
    false,
  ]);
});

const refused: readonly (readonly [rules: string, more: string, message: RegExp])[] = [
  [' []', '', /^rules: Required value/],
  ['- {users: [a]}', '', /^rules\[0\]\.level: Required value$/],
  ['- {level: All}', '', /^rules\[0\]\.level: Unsupported value: "All": supported values: "None"/],
  ['- {level: None}\n- {level: None, user: [a]}', '', /^rules\[1\]\.user: Invalid value: .*unknown field$/],
  ['- {level: None, users: a}', '', /^rules\[0\]\.users: Invalid value: "a": must be a list$/],
  ['- {level: None, verbs: [1]}', '', /^rules\[0\]\.verbs\[0\]: Invalid value: 1: must be a string$/],
  ['- none', '', /^rules\[0\]: Invalid value: "none": must be an object$/],
  ['- {level: None, omitStages: [Done]}', '', /^rules\[0\]\.omitStages\[0\]: Unsupported value: "Done"/],
  ['- {level: None, omitManagedFields: 1}', '', /^rules\[0\]\.omitManagedFields: Invalid value: 1: must be/],
  ['- {level: None}', 'omitStages: [Done]', /^omitStages\[0\]: Unsupported value/],
  ['- {level: None}', 'rule: []', /^rule: Invalid value: .*unknown field/],
  ['- {level: None, nonResourceURLs: [version]}', '', /nonResourceURLs\[0\]: .*must begin with a "\/"/],
  ['- {level: None, nonResourceURLs: [/a*/b]}', '', /nonResourceURLs\[0\]: .*must be the final character/],
  ['- {level: None, nonResourceURLs: [/a], namespaces: [b]}', '', /cannot apply to both regular resources/],
  [
    '- {level: None, resources: [{group: apps/v1}]}',
    '',
    /^rules\[0\]\.resources\[0\]\.group: .*without a version/,
  ],
  [
    '- {level: None, resources: [{resourceNames: [a]}]}',
    '',
    /resourceNames: .*requires at least one resource/,
  ],
  ['- {level: None, resources: [{kind: a}]}', '', /^rules\[0\]\.resources\[0\]\.kind: .*unknown field/],
];
for (const [rules, more, message] of refused)
  test(`a policy with ${more} ${rules} is refused by rule and field`, () => {
    assert.throws(() => policyFrom(rules, more), { message });
  });

test('a policy is of the group or its alias', () => {
  const rules = [{ level: 'None' }];
  assert.throws(() => parseAuditPolicy({ kind: 'Policy', apiVersion: 'audit.cluster.io/v2', rules }), /v2/);
  assert.throws(() => parseAuditPolicy({ kind: 'Other', apiVersion: 'audit.cluster.io/v1', rules }), /Other/);
  const aliased = parseAuditPolicy({ kind: 'Policy', apiVersion: 'audit.k8s.io/v1', rules });
  assert.equal(aliased.rules.length, 1);
});
