import { fieldErrorMessage, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { compileSchemaRules } from '@binnacle/cel';
import type { RuleBudgets } from '@binnacle/cel/testing';
import { type RowGroup, rowGroup } from './cases/case-file.ts';
import { firstProblem } from './cases/compare.ts';

interface LevelRow {
  readonly schema: JsonObject;
  readonly object: JsonValue;
  readonly oldObject?: JsonValue;
  /** Parts of the texts of the findings, one each. */
  readonly errors: readonly string[];
}

interface SkippedRow {
  readonly skipped?: boolean;
  readonly schema: JsonObject;
  readonly object: JsonValue;
  readonly valid?: readonly string[];
}

interface BudgetRow {
  readonly schema: JsonObject;
  readonly object: JsonValue;
  readonly rule: string;
  readonly budget?: number;
  readonly callLimit?: number;
  readonly error: string;
}

/** Whether a row asks what happens when a budget is used up. */
export function isBudgetRow(row: object): row is BudgetRow {
  return 'budget' in row || 'callLimit' in row;
}

/** The cases of rules inside schemas, of those that need a value before, and of budgets. */
export function celLevelGroups(document: JsonObject): RowGroup[] {
  return [
    rowGroup<LevelRow>(document, 'levels', ({ schema, object, oldObject, errors }) =>
      differentTexts(errorTexts(schema, object, oldObject), errors),
    ),
    {
      ...rowGroup<SkippedRow>(document, 'rules', ({ schema, object, valid = [] }) =>
        firstProblem(...valid.map(rule => differentTexts(errorTexts(withRule(schema, rule), object), []))),
      ),
      name: 'rules/skipped',
      isLeftOut: ({ skipped }: SkippedRow) => skipped !== true,
    },
    {
      ...rowGroup<BudgetRow>(document, 'other', ({ schema, object, rule, budget, callLimit, error }) => {
        const budgets: RuleBudgets = {
          ...(budget !== undefined && { object: budget }),
          ...(callLimit !== undefined && { call: callLimit }),
        };
        return differentTexts(errorTexts(withRule(schema, rule), object, undefined, budgets), [error]);
      }),
      name: 'other/budgets',
      isLeftOut: (row: object) => !isBudgetRow(row),
    },
  ];
}

function withRule(schema: JsonObject, rule: string): JsonObject {
  return { ...schema, 'x-cluster-validations': [{ rule }] };
}

function errorTexts(
  schema: JsonObject,
  object: JsonValue,
  ...more: [old?: JsonValue, budgets?: RuleBudgets]
): string[] {
  return (compileSchemaRules(schema)?.errors(object, ...more) ?? []).map(fieldErrorMessage);
}

function differentTexts(actual: readonly string[], expected: readonly string[]): string | undefined {
  const holds =
    actual.length === expected.length && expected.every(part => actual.some(text => text.includes(part)));
  return holds ? undefined : `found ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`;
}
