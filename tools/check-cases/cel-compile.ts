import type { JsonObject } from '@binnacle/api-objects';
import { compileValidationRule } from '@binnacle/cel';
import { type RuleOutcome, ruleEnvironment } from '@binnacle/cel/testing';
import { type RowGroup, rowGroup } from './cases/case-file.ts';
import { firstProblem } from './cases/compare.ts';
import { type RuleRow, rowsFromGroups, selfTypeFromSchema } from './cel-program.ts';

interface Expected {
  readonly rule: string;
  readonly ok?: boolean;
  /** Part of the message. */
  readonly error?: string;
  readonly transition?: boolean;
}

interface CompileRow {
  readonly schema: JsonObject;
  readonly expected: readonly Expected[];
}

interface RuleGroup {
  readonly errors?: readonly { readonly rule: string; readonly error: string }[];
}

interface FailingRow extends RuleRow {
  readonly error: string;
}

interface Repeated {
  readonly repeat: string;
  readonly times: number;
  readonly then?: string;
}

interface DepthRow {
  readonly schema: JsonObject;
  readonly valid: Repeated & { readonly then: string };
  readonly error: Repeated & { readonly error: string };
}

/**
 * The cases of rules that are compiled and not evaluated: the refused ones, with the words of the error where clients
 * rely on them.
 */
export function celCompileGroups(document: JsonObject): RowGroup[] {
  const groups = rowGroup<RuleGroup>(document, 'rules', () => undefined).rows;
  return [
    rowGroup<CompileRow>(document, 'compile', ({ schema, expected }) =>
      firstProblem(...expected.map(one => findProblem(schema, one))),
    ),
    {
      name: 'rules/refused',
      rows: rowsFromGroups(groups, (group: RuleGroup) => group.errors ?? []),
      findProblem: ({ schema, rule, error }: FailingRow) => findProblem(schema, { rule, error }),
      // Most rules that fail do so when they are evaluated.
      isLeftOut: ({ schema, rule }: FailingRow) => compile(schema, rule).kind !== 'refused',
    },
    {
      ...rowGroup(document, 'other', problemOfDepth),
      isLeftOut: (row: object) => !isDepthRow(row),
    },
  ];
}

/** Whether a row is about how deep an expression may be nested. */
export function isDepthRow(row: object): row is DepthRow {
  return 'valid' in row && typeof row.valid === 'object' && row.valid !== null && 'repeat' in row.valid;
}

function problemOfDepth({ schema, valid, error }: DepthRow): string | undefined {
  const { repeat, then } = valid;
  return firstProblem(
    findProblem(schema, { rule: repeat.repeat(valid.times) + then, ok: true }),
    findProblem(schema, { rule: error.repeat.repeat(error.times) + then, error: error.error }),
  );
}

function findProblem(schema: JsonObject, { rule, error, transition }: Expected): string | undefined {
  const outcome = compile(schema, rule);
  const start = rule.slice(0, 100);
  if (error === undefined) {
    if (outcome.kind === 'refused') return `${start}: ${outcome.message}`;
    if (transition === undefined || (outcome.kind === 'rule' && outcome.isTransition === transition))
      return undefined;
    return `${start}: ${transition ? 'is no rule of transitions' : 'is a rule of transitions'}`;
  }
  if (outcome.kind !== 'refused') return `${start}: is not refused, expected: ${error}`;
  return outcome.message.includes(error) ? undefined : `${outcome.message}, expected: ${error}`;
}

function compile(schema: JsonObject, rule: string): RuleOutcome {
  return compileValidationRule(rule, ruleEnvironment(selfTypeFromSchema(schema)));
}
