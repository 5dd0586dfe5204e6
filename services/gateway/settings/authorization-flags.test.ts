import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFlags } from '@binnacle/flags';
import { type AuthorizationMode, allowsEverything, authorizationFlags } from './authorization-flags.ts';

const parseModes = (...args: string[]) => parseFlags(authorizationFlags, args, {}).authorizationMode;

const accepted: [string[], AuthorizationMode[]][] = [
  [[], ['RBAC']],
  [['--authorization-mode=Node,RBAC'], ['Node', 'RBAC']],
  [
    ['--authorization-mode=Webhook, ABAC', '--authorization-mode=AlwaysDeny'],
    ['Webhook', 'ABAC', 'AlwaysDeny'],
  ],
];
for (const [args, modes] of accepted)
  test(`${args.join(' ') || 'no flag'} sets the modes ${modes.join(', ')} in this order`, () =>
    assert.deepEqual(parseModes(...args), modes));

const refused: [string[], RegExp][] = [
  [['--authorization-mode=RBAC,rbac'], /rbac is not an authorization mode/],
  [['--authorization-mode=constructor'], /constructor is not an authorization mode/],
  [['--authorization-mode=Node,RBAC,Node'], /Node is given more than once/],
  [['--authorization-mode=RBAC', '--authorization-mode=RBAC'], /RBAC is given more than once/],
  [['--authorization-mode='], /at least one of RBAC, ABAC/],
];
for (const [args, message] of refused)
  test(`${args.join(' ')} is refused by name`, () => assert.throws(() => parseModes(...args), message));

const everything: [AuthorizationMode[], boolean][] = [
  [['AlwaysAllow'], true],
  [['RBAC', 'AlwaysAllow'], true],
  [['RBAC'], false],
  [['AlwaysDeny'], false],
];
for (const [modes, expected] of everything)
  test(`${modes.join(', ')} ${expected ? 'allows everything' : 'does not allow everything'}`, () =>
    assert.equal(allowsEverything(modes), expected));
