import type { JsonObject } from '@binnacle/api-objects';
import { CelError } from '@binnacle/cel';
import { type CaseFile, leftOut, rowGroup } from './cases/case-file.ts';
import { celCompileGroups, isDepthRow } from './cel-compile.ts';
import { celLevelGroups, isBudgetRow } from './cel-levels.ts';
import { evaluateRule, type RuleRow, rowsFromGroups } from './cel-program.ts';

interface RuleGroup {
  readonly skipped?: boolean;
  readonly valid?: readonly string[];
  readonly errors?: readonly { readonly rule: string; readonly error: string }[];
}

/** A rule that fails; each server words the failure in its own way. */
interface FailingRow extends RuleRow {
  readonly error: string;
}

/** The cases of validation rules: rules that hold for an object, and rules that fail, when compiled or evaluated. */
export function celRuleCases(document: JsonObject): CaseFile {
  const groups = rowGroup<RuleGroup>(document, 'rules', () => undefined).rows;
  const isEvaluated = ({ skipped }: RuleGroup) => skipped !== true;
  const valid = rowsFromGroups(groups, (group: RuleGroup) =>
    isEvaluated(group) ? (group.valid ?? []).map(rule => ({ rule })) : [],
  );
  const failing = rowsFromGroups(groups, (group: RuleGroup) => group.errors ?? []);
  return {
    groups: [
      { name: 'rules/valid', rows: valid, findProblem: problemOfValid },
      { name: 'rules/errors', rows: failing, findProblem: problemOfFailing },
      ...celCompileGroups(document),
      ...celLevelGroups(document),
    ],
    leftOut: [
      leftOut<object>(document, 'other', {
        reason: 'an evaluation is over before a request could be taken back: its budget ends it',
        isIt: row => !isDepthRow(row) && !isBudgetRow(row),
      }),
    ],
  };
}

function problemOfValid(row: RuleRow): string | undefined {
  const outcome = evaluateRule(row);
  const value = outcome instanceof CelError ? outcome : outcome.value;
  if (value === true) return undefined;
  return `${row.rule}: ${value instanceof CelError ? value.message : 'does not hold'}`;
}

function problemOfFailing(row: FailingRow): string | undefined {
  const outcome = evaluateRule(row);
  const value = outcome instanceof CelError ? outcome : outcome.value;
  return value instanceof CelError ? undefined : `${row.rule}: is ${String(value)}, expected: ${row.error}`;
}
