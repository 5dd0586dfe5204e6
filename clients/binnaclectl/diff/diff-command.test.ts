import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffCommand } from './diff-command.ts';

const cases: [variable: string | undefined, program: string, args: string[], leftOut: string[]][] = [
  [undefined, 'diff', ['-u', '-N'], []],
  ['', 'diff', ['-u', '-N'], []],
  ['colordiff', 'colordiff', [], []],
  ['diff  -N --context=5', 'diff', ['-N', '--context=5'], []],
  ['diff -N --label=a;b $(x) -u', 'diff', ['-N', '-u'], ['--label=a;b', '$(x)']],
];
for (const [variable, program, args, leftOut] of cases)
  test(`KUBECTL_EXTERNAL_DIFF=${JSON.stringify(variable)} runs ${program} ${args.join(' ')}`, () =>
    assert.deepEqual(diffCommand(variable), { program, args, leftOut }));
