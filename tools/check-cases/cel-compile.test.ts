import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { celCompileGroups } from './cel-compile.ts';
import { checkFile } from './check-file.ts';

const schema = { type: 'object', properties: { depth: { type: 'integer' } } };

function createDocument(right: boolean): JsonObject {
  const undefinedField = right ? "undefined field 'width'" : "undefined field 'depth'";
  return {
    compile: [
      { name: 'ok', schema, expected: [{ rule: right ? 'self.depth > 1' : 'self.depth > 1.0', ok: true }] },
      {
        name: 'change',
        schema,
        expected: [{ rule: 'self.depth > oldSelf.depth', ok: true, transition: right }],
      },
      { name: 'error', schema, expected: [{ rule: 'self.width > 1', error: undefinedField }] },
      { name: 'no error', schema, expected: [{ rule: right ? '1' : 'true', error: 'to a bool' }] },
    ],
    rules: [
      {
        name: 'errors',
        schema,
        errors: [
          { rule: 'self.width > 1', error: undefinedField },
          { rule: '1 / 0 == 1', error: 'division by zero' },
        ],
      },
    ],
    other: [
      {
        schema,
        // biome-ignore lint/suspicious/noThenProperty: rows of the file have it, and no code awaits them
        valid: { repeat: 'true == ', times: right ? 100 : 1000, then: 'true' },
        error: { repeat: 'true == ', times: 1000, error: 'max recursion depth exceeded' },
      },
      { name: 'a budget', rule: 'true', budget: 0 },
    ],
  };
}

test('rows of compiled rules that hold are distinguished from rows that do not', () => {
  const good = checkFile('cel', { groups: celCompileGroups(createDocument(true)), leftOut: [] }, new Set());
  assert.deepEqual([good.rows, good.failed], [6, []]);
  const bad = checkFile('cel', { groups: celCompileGroups(createDocument(false)), leftOut: [] }, new Set());
  assert.equal(bad.failed.length, 6);
});
