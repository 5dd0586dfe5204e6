import { extensions } from '@binnacle/api-names';
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  isJsonObject,
  type JsonObject,
} from '@binnacle/api-objects';
import { compileValidationRule, type RuleOutcome, ruleEnvironment } from '../check/validation-rule.ts';
import { estimateCost } from '../estimate/estimate-cost.ts';
import { sizeOfPlace } from '../estimate/schema-sizes.ts';
import { typeFromSchema } from '../types/schema-types.ts';
import { CelError } from '../values/cel-error.ts';
import { createRuleProgram, readListKeys, readRuleTexts } from './rule-node.ts';

/** Maximum estimated cost for one object, of one rule and of all rules of a schema. */
const estimateLimits = { rule: 10_000_000, schema: 100_000_000 } as const;

/** Position of a node in a schema. */
interface Level {
  readonly schema: JsonObject;
  readonly path: FieldPath;
  readonly isRoot: boolean;
  /** Maximum number of values at this node in one object; infinite if unbounded. */
  readonly count: number;
  /** Whether an update can correlate a value with its old value. */
  readonly isCorrelatable: boolean;
}

interface Findings {
  readonly errors: FieldError[];
  total: number;
  /** The cost of each rule. */
  readonly shares: { readonly path: FieldPath; readonly cost: number }[];
}

/**
 * Validates the rules of a definition's schema: reports invalid expressions and those that are not bool, rules that use an old
 * value that cannot be correlated, invalid constant patterns, and rules whose cost estimate is too high, individually or in
 * total.
 */
export function definitionRuleErrors(schema: JsonObject, path: FieldPath): FieldError[] {
  const findings: Findings = { errors: [], total: 0, shares: [] };
  check({ schema, path, isRoot: true, count: 1, isCorrelatable: true }, findings);
  if (findings.total > estimateLimits.schema) {
    const factor = excess(findings.total, estimateLimits.schema);
    for (const { path: at } of findings.shares.filter(({ cost }) => cost > estimateLimits.schema / 100))
      findings.errors.push(forbiddenField(at, `contributed to ${totalTooHigh} by factor of ${factor}`));
    findings.errors.push(forbiddenField(path, `${totalTooHigh} by factor of ${factor} (${advice})`));
  }
  return findings.errors;
}

const totalTooHigh =
  'estimated rule cost total for entire OpenAPIv3 schema, which exceeds budget of all rules';
const advice = 'simplify the rules, or bound their input with maxItems, maxProperties and maxLength';

function check(level: Level, findings: Findings): void {
  const { schema, path } = level;
  checkRules(level, findings);
  const below = (child: unknown, at: FieldPath, changed: Partial<Level> = {}): void => {
    if (isJsonObject(child))
      check({ ...level, ...changed, schema: child, path: at, isRoot: false }, findings);
  };
  const properties = schema['properties'];
  if (isJsonObject(properties)) {
    for (const [name, child] of Object.entries(properties)) below(child, path.child('properties').key(name));
  }
  const many = level.count * largestCount(schema);
  below(schema['additionalProperties'], path.child('additionalProperties'), { count: many });
  const isCorrelatable = level.isCorrelatable && readListKeys(schema) !== undefined;
  below(schema['items'], path.child('items'), { count: many, isCorrelatable });
}

function largestCount(schema: JsonObject): number {
  const type = typeFromSchema(schema);
  return sizeOfPlace(type)?.max ?? Number.POSITIVE_INFINITY;
}

function checkRules(level: Level, findings: Findings): void {
  const { schema, path, isRoot } = level;
  const rules = readRuleTexts(schema);
  if (rules.length === 0) return;
  const type = typeFromSchema(schema, isRoot ? { isRoot } : {}) ?? { kind: 'dyn' };
  const environment = ruleEnvironment(type);
  rules.forEach(({ rule }, index) => {
    const at = path.child(extensions.validations).index(index).child('rule');
    const outcome = compileValidationRule(rule, environment);
    if (outcome.kind === 'refused') findings.errors.push(invalidField(at, rule, outcome.message));
    if (outcome.kind === 'rule') checkRule(outcome, { rule, at, level }, findings);
  });
}

function checkRule(
  { checked, isTransition }: RuleOutcome & { kind: 'rule' },
  { rule, at, level }: { readonly rule: string; readonly at: FieldPath; readonly level: Level },
  findings: Findings,
): void {
  if (isTransition && !level.isCorrelatable)
    findings.errors.push(
      invalidField(at, rule, 'oldSelf cannot be used on the uncorrelatable portion of the schema'),
    );
  const program = createRuleProgram(checked);
  if (program instanceof CelError) findings.errors.push(invalidField(at, rule, program.message));
  const cost = estimateCost(checked.parsed, checked.facts).max * level.count;
  findings.total += cost;
  findings.shares.push({ path: at, cost });
  if (cost > estimateLimits.rule) {
    const factor = excess(cost, estimateLimits.rule);
    const detail = `estimated rule cost exceeds budget by factor of ${factor} (${advice})`;
    findings.errors.push(forbiddenField(at, detail));
  }
}

/** Formats the factor by which a cost exceeds its limit, at most 100. */
function excess(cost: number, limit: number): string {
  const factor = cost / limit;
  return factor > 100 ? 'more than 100x' : `${factor.toFixed(1)}x`;
}
