import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCounted } from '@binnacle/event-loop/testing';
import { fieldSetOfPaths } from '../field-sets/field-set.ts';
import { conflictError, conflictsSteps } from './conflicts.ts';
import { managerIdFromIdentity } from './manager-id.ts';

const createId = (manager: string) =>
  managerIdFromIdentity({ manager, operation: 'Apply', apiVersion: 'v1', subresource: '' });

test('conflicts are listed by manager and field, in steps of a thousand', () => {
  const fields = (count: number) =>
    fieldSetOfPaths(Array.from({ length: count }, (_, i) => ['f:data', `f:k${i}`] as const));
  const taken = new Map([
    [createId('b'), fields(2499)],
    [createId('a'), fields(2)],
  ]);
  const { result, steps } = runCounted(conflictsSteps(taken));
  assert.equal(result.length, 2501);
  assert.deepEqual(result.slice(0, 3), [
    { manager: '"a"', path: '.data.k0' },
    { manager: '"a"', path: '.data.k1' },
    { manager: '"b"', path: '.data.k0' },
  ]);
  assert.equal(steps, 3);
});

test('at most a thousand conflicts are listed, and the others are counted', () => {
  const conflicts = Array.from({ length: 1500 }, (_, i) => ({ manager: '"m"', path: `.data.k${i}` }));
  const { causes, message } = conflictError(conflicts);
  assert.equal(causes.length, 1000);
  assert.match(message, /^Apply failed with 1500 conflicts: conflicts with "m":\n/);
  assert.match(message, /- \.data\.k999\nand 500 more$/);
});
