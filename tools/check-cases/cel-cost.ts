import type { JsonObject } from '@binnacle/api-objects';
import { CelError, compileText, costBudgets, createEnvironment, createProgram } from '@binnacle/cel';
import { estimateCost, type Range, sizeOfReplaced } from '@binnacle/cel/testing';
import { type CaseFile, rowGroup } from './cases/case-file.ts';
import { firstProblem } from './cases/compare.ts';
import {
  checkedRule,
  evaluateRule,
  type RuleRow,
  rowsFromGroups,
  selfTypeFromSchema,
} from './cel-program.ts';

interface CostRow {
  readonly rule: string;
  readonly cost: number;
  readonly specCost?: number;
}

/** Numbers beyond 2^53 are strings. */
type Figure = number | string;

interface EstimateRow {
  readonly rule: string;
  readonly schema: JsonObject;
  readonly limitedSchema: JsonObject;
  readonly max?: Figure;
  readonly maxAtLeast?: Figure;
  readonly specMax?: Figure;
  readonly limitedMax?: Figure;
  readonly limitedMaxAtLeast?: Figure;
  readonly specLimitedMax?: Figure;
}

interface LibraryCost extends Range {
  readonly runtime: number;
}

interface LibraryRow extends LibraryCost {
  readonly expression: string;
  /** With the figures of the specification. */
  readonly spec?: LibraryCost;
}

interface SizeRow {
  readonly target: Range;
  readonly args: readonly [Range, Range];
  readonly result: Range;
}

/** The cases of costs; where the specification has figures of its own, those count. */
export function celCostCases(document: JsonObject): CaseFile {
  const groups = rowGroup(document, 'runtime', () => undefined).rows;
  const runtime = rowsFromGroups(groups, ({ rules }: { rules: readonly CostRow[] }) => rules);
  return {
    groups: [
      { name: 'runtime', rows: runtime, findProblem: problemOfCost },
      rowGroup(document, 'estimate', problemOfEstimate),
      rowGroup(document, 'library', problemOfLibrary),
      rowGroup(document, 'resultSize', problemOfSize),
    ],
    leftOut: [],
  };
}

function problemOfCost(row: CostRow & RuleRow): string | undefined {
  const outcome = evaluateRule(row);
  if (outcome instanceof CelError) return `${row.rule}: ${outcome.message}`;
  const expected = row.specCost ?? row.cost;
  return outcome.cost === expected ? undefined : `${row.rule}: costs ${outcome.cost} instead of ${expected}`;
}

function problemOfEstimate(row: EstimateRow): string | undefined {
  return firstProblem(
    problemOfMax(row.rule, row.schema, { exact: row.specMax ?? row.max, least: row.maxAtLeast }),
    problemOfMax(row.rule, row.limitedSchema, {
      exact: row.specLimitedMax ?? row.limitedMax,
      least: row.limitedMaxAtLeast,
    }),
  );
}

function problemOfMax(
  rule: string,
  schema: JsonObject,
  { exact, least }: { exact: Figure | undefined; least: Figure | undefined },
): string | undefined {
  const checked = checkedRule(rule, selfTypeFromSchema(schema));
  if (checked instanceof CelError) return checked.message;
  const { max } = estimateCost(checked.parsed, checked.facts);
  const holds = exact === undefined ? max >= Number(least) : max === Number(exact);
  return holds ? undefined : `${rule}: estimated at ${max} instead of ${exact ?? `at least ${least}`}`;
}

function problemOfLibrary({ expression, spec, ...figures }: LibraryRow): string | undefined {
  const expected = spec ?? figures;
  const { parsed, facts } = compileText(expression, createEnvironment({ variables: [] }));
  const estimate = estimateCost(parsed, facts, { unknownSize: { min: 0, max: 12 } });
  const program = createProgram(parsed, { variables: [], facts, folds: false });
  if (program instanceof CelError) return program.message;
  const { cost } = program.evaluate([], costBudgets.call);
  const holds = estimate.min === expected.min && estimate.max === expected.max && cost === expected.runtime;
  return holds ? undefined : `${expression}: ${estimate.min} to ${estimate.max}, ${cost} at run time`;
}

function problemOfSize({ target, args: [part, replacement], result }: SizeRow): string | undefined {
  const { min, max } = sizeOfReplaced(target, part, replacement);
  return min === result.min && max === result.max ? undefined : `${min} to ${max}`;
}
