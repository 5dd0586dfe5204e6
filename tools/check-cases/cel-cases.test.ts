import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import type { CaseFileReader } from './cases/case-file.ts';
import { celCostCases } from './cel-cost.ts';
import { celRuleCases } from './cel-rules.ts';
import { checkFile } from './check-file.ts';

const schema = { type: 'object', properties: { depth: { type: 'integer' } } };
const limited = { type: 'array', maxItems: 2, items: { type: 'boolean' } };

/** A document whose rows hold, and the same with rows that do not. */
const documents: readonly { read: CaseFileReader; right: JsonObject; wrong: JsonObject; rows: number }[] = [
  {
    read: celRuleCases,
    rows: 5,
    right: ruleDocument('self.depth == 3', '1 / (self.depth - 3) == 1'),
    wrong: ruleDocument('self.depth == 4', 'self.depth == 3'),
  },
  { read: celCostCases, rows: 4, right: costDocument(0), wrong: costDocument(1) },
];

test('rows that hold are distinguished from rows that do not', () => {
  for (const { read, right, wrong, rows } of documents) {
    const good = checkFile('cel', read(right), new Set());
    assert.deepEqual([good.rows, good.failed], [rows, []]);
    assert.equal(checkFile('cel', read(wrong), new Set()).failed.length, rows);
  }
});

function ruleDocument(valid: string, failing: string): JsonObject {
  const errors = [{ rule: failing, error: 'division by zero' }];
  const object = { depth: 3 };
  const ruled = { ...schema, 'x-cluster-validations': [{ rule: valid }] };
  const isRight = valid === 'self.depth == 3';
  return {
    rules: [
      { name: 'depths', schema, object, valid: [valid], errors },
      {
        name: 'transitions',
        skipped: true,
        schema,
        object,
        valid: [isRight ? 'self == oldSelf' : failing.replace('3', '4')],
      },
    ],
    levels: [{ name: 'root', schema: ruled, object, errors: isRight ? [] : ['some other text'] }],
    other: [
      { name: 'budget', schema, object, rule: valid, budget: 0, error: isRight ? 'cost budget' : 'call' },
    ],
  };
}

/** With costs that are too high by so much. */
function costDocument(more: number): JsonObject {
  const three = { min: 3, max: 3 };
  return {
    runtime: [
      { name: 'a', schema, object: { depth: 3 }, rules: [{ rule: 'self.depth == 3', cost: 3 + more }] },
    ],
    estimate: [
      {
        rule: 'self.all(x, true)',
        ...{ schema: limited, max: 8 + more },
        ...{ limitedSchema: limited, limitedMax: 8 + more },
      },
    ],
    library: [{ expression: "'abc'.trim()", min: 1 + more, max: 1, runtime: 1 }],
    resultSize: [
      {
        target: three,
        args: [
          { min: 1, max: 1 },
          { min: 1, max: 1 },
        ],
        result: { min: 3 + more, max: 3 },
      },
    ],
  };
}
