import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallContext } from '@binnacle/rpc';
import { serviceUnavailable } from '@binnacle/status-errors';
import type { User } from '../request/api-request.ts';
import { mastersGroup } from '../request/users.ts';
import {
  type Access,
  type Authorizer,
  alwaysAllow,
  alwaysDeny,
  completeRules,
  type Decision,
  isAllowed,
} from './authorizer.ts';
import { policyRulesFrom } from './policy-rule.ts';
import { createUnionAuthorizer } from './union-authorizer.ts';

const bob: User = { username: 'bob', uid: '', groups: [], extra: {} };
const admin: User = { ...bob, groups: [mastersGroup] };
const access: Access = { kind: 'path', verb: 'get', path: '/x' };

function saying(decision: Decision | Error): Authorizer {
  return {
    ...alwaysDeny,
    authorize: () => (decision instanceof Error ? Promise.reject(decision) : Promise.resolve(decision)),
  };
}

const allows = (reason = '') => saying({ verdict: 'allowed', reason });
const denies = (reason = '') => saying({ verdict: 'denied', reason });
const abstains = (reason = '') => saying({ verdict: 'noOpinion', reason });
const fails = (message: string) => saying(serviceUnavailable(message));

async function ask(authorizers: readonly Authorizer[], user = bob) {
  using call = createCallContext({ timeoutMs: 10_000 });
  const { verdict, reason, error } = await createUnionAuthorizer(authorizers).authorize(user, access, call);
  return [verdict, reason, error?.code, error?.message];
}

const cases: [string, readonly Authorizer[], readonly unknown[]][] = [
  [
    'the first that allows decides',
    [abstains('a'), allows('b'), denies('c')],
    ['allowed', 'b', undefined, undefined],
  ],
  [
    'the first that denies decides',
    [abstains('a'), denies('b'), allows('c')],
    ['denied', 'b', undefined, undefined],
  ],
  [
    'no authorizer has an opinion',
    [abstains('a'), abstains(), abstains('b')],
    ['noOpinion', 'a\nb', undefined, undefined],
  ],
  [
    'a later one allows what AlwaysDeny does not',
    [alwaysDeny, alwaysAllow],
    ['allowed', '', undefined, undefined],
  ],
  ['AlwaysDeny alone', [alwaysDeny], ['noOpinion', 'Everything is forbidden.', undefined, undefined]],
  ['an allowance after a failure', [fails('down'), allows('b')], ['allowed', 'b', undefined, undefined]],
  ['a denial after a failure', [fails('down'), denies('b')], ['denied', 'b', undefined, undefined]],
  ['a failure and no opinion', [fails('down'), abstains('b')], ['noOpinion', 'b', 503, 'down']],
  [
    'several failures are one error',
    [fails('down'), fails('away')],
    ['noOpinion', '', 500, 'Internal error occurred: [down, away]'],
  ],
  [
    'a defect is not told to clients',
    [saying(new TypeError('x is undefined'))],
    ['noOpinion', '', 500, 'Internal error occurred: an authorizer failed'],
  ],
];
for (const [name, authorizers, expected] of cases)
  test(`union: ${name}`, async () => assert.deepEqual(await ask(authorizers), expected));

test('union: members of system:masters are allowed before other authorizers are asked', async () => {
  assert.deepEqual(await ask([denies('no'), fails('down')], admin), ['allowed', '', undefined, undefined]);
});

test('union: a request that is not allowed because an authorizer failed is that failure', async () => {
  using call = createCallContext({ timeoutMs: 10_000 });
  const question = { user: bob, access, call };
  const failing = createUnionAuthorizer([fails('down'), abstains()]);
  await assert.rejects(async () => await isAllowed(failing, question), { code: 503, message: 'down' });
  assert.equal(await isAllowed(createUnionAuthorizer([abstains('no')]), question), false);
  assert.equal(await isAllowed(createUnionAuthorizer([fails('down'), allows()]), question), true);
});

test('union: rules are those of all authorizers, and incomplete if one cannot list its rules', () => {
  const knows = (verb: string): Authorizer => {
    const rules = policyRulesFrom([{ verbs: [verb], apiGroups: [''], resources: ['pods'] }], group => group);
    return { ...alwaysDeny, rulesFor: () => completeRules(rules), boundRules: () => rules };
  };
  const doesNot = (evaluationError: string): Authorizer => ({
    ...alwaysDeny,
    rulesFor: () => ({ rules: [], incomplete: true, evaluationError }),
  });
  const starts: Authorizer = {
    ...alwaysDeny,
    rulesFor: () => {
      throw serviceUnavailable('not loaded');
    },
  };
  const of = (...authorizers: Authorizer[]) => {
    const { rules, ...rest } = createUnionAuthorizer(authorizers).rulesFor(bob, 'z');
    return { verbs: rules.flatMap(rule => [...rule.verbs]), ...rest };
  };
  assert.deepEqual(of(knows('get'), knows('list')), {
    verbs: ['get', 'list'],
    incomplete: false,
    evaluationError: '',
  });
  assert.deepEqual(of(knows('get'), doesNot('a')), {
    verbs: ['get'],
    incomplete: true,
    evaluationError: 'a',
  });
  assert.deepEqual(of(doesNot('a'), starts, knows('get')), {
    verbs: ['get'],
    incomplete: true,
    evaluationError: '[a, not loaded]',
  });
  const bound = createUnionAuthorizer([knows('get'), knows('list')]).boundRules(bob, 'z');
  assert.deepEqual(
    bound.flatMap(rule => [...rule.verbs]),
    ['get', 'list'],
  );
});
