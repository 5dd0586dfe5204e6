import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldPath } from '@binnacle/api-objects';
import { nodeSelectorErrors } from './node-selector-validation.ts';

const named = { key: 'metadata.name', operator: 'In', values: ['n'] } as const;

describe('a node selector by fields', () => {
  for (const [what, requirement, findings] of [
    ['the name of a node', named, []],
    ['not the name of a node', { ...named, operator: 'NotIn' }, []],
    ['two names', { ...named, values: ['n', 'm'] }, ['Required values']],
    ['no name', { ...named, values: [] }, ['Required values']],
    ['a bad name', { ...named, values: ['N'] }, ['Invalid values[0]']],
    ['another relation', { ...named, operator: 'Exists', values: [] }, ['Invalid operator']],
    ['another field', { ...named, key: 'metadata.namespace' }, ['Invalid key']],
  ] as const)
    it(`${what}: ${findings.join() || 'valid'}`, () => {
      const selector = {
        nodeSelectorTerms: [{ matchFields: [{ ...requirement, values: [...requirement.values] }] }],
      };
      const errors = nodeSelectorErrors(selector, fieldPath('s'));
      const at = 's.nodeSelectorTerms[0].matchFields[0].';
      assert.deepEqual(
        errors.map(error => `${error.type} ${error.field.replace(at, '')}`),
        findings,
      );
    });
});
