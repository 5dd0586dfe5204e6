import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthorizationMode } from '../settings/authorization-flags.ts';
import { allowsAnonymous } from './authenticate.ts';

const cases: readonly (readonly [
  modes: readonly AuthorizationMode[],
  flag: boolean | undefined,
  expected: boolean,
])[] = [
  [['AlwaysAllow'], undefined, false],
  [['RBAC'], undefined, true],
  [['AlwaysAllow', 'RBAC'], undefined, false],
  [['Node', 'RBAC'], undefined, true],
  [['AlwaysAllow'], true, true],
  [['RBAC'], false, false],
];
for (const [authorizationMode, anonymousAuth, expected] of cases)
  test(`modes ${authorizationMode} and the flag ${anonymousAuth}: anonymous requests are ${expected ? '' : 'not '}allowed`, () => {
    assert.equal(allowsAnonymous({ authorizationMode, anonymousAuth }), expected);
  });
