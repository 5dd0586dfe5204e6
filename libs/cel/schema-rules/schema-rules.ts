import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@binnacle/api-objects';
import { costBudgets } from '../cost/figures.ts';
import { CelError } from '../values/cel-error.ts';
import { valueFromJson } from '../values/json-reader.ts';
import type { Value } from '../values/value.ts';
import { createRuleNode, type RuleNode, type SchemaRule } from './rule-node.ts';

/** Cost budgets for an object, in the unit of `figures`. */
export interface RuleBudgets {
  /** Budget of one evaluation of a rule; default: 1,000,000. */
  readonly call?: number;
  /** Budget of all rules; default: 10,000,000. */
  readonly object?: number;
}

/** The validation rules of a structural schema, at all its nodes. */
interface SchemaRules {
  /** Returns the errors of an object, compared with its old value if there is one. */
  errors(object: JsonValue, old: JsonValue | undefined, budgets?: RuleBudgets): FieldError[];
  /** Returns the errors of an object; if the rules are expensive, as a generator that yields between evaluations. */
  begin(
    object: JsonValue,
    old: JsonValue | undefined,
    budgets?: RuleBudgets,
  ): FieldError[] | Generator<void, FieldError[]>;
}

const known = new WeakMap<JsonObject, { readonly rules: SchemaRules | undefined }>();

/**
 * Compiles the rules of a schema of whole objects (specification 2, "Expression language"); undefined if it has none. The result
 * is cached for the schema, which must not change.
 */
export function compileSchemaRules(schema: JsonObject): SchemaRules | undefined {
  let found = known.get(schema);
  if (found === undefined) {
    const root = createRuleNode(schema, true);
    found = { rules: root && rulesFrom(root) };
    known.set(schema, found);
  }
  return found.rules;
}

function rulesFrom(root: RuleNode): SchemaRules {
  return {
    errors(object, old, { call = costBudgets.call, object: left = costBudgets.object } = {}) {
      const run: Run = { call, left, laterFrom: Number.NEGATIVE_INFINITY, isOver: false, errors: [] };
      visit(root, { value: object, old, path: fieldPath() }, run);
      return run.errors;
    },
    begin(object, old, { call = costBudgets.call, object: left = costBudgets.object } = {}) {
      const run: Run = { call, left, laterFrom: left - costPerStep, isOver: false, errors: [] };
      visit(root, { value: object, old, path: fieldPath() }, run);
      return run.later === undefined ? run.errors : laterErrors(run, run.later);
    },
  };
}

/** Cost of the evaluations between two yields, a few milliseconds. A single evaluation may exceed it. */
const costPerStep = 10_000;

function* laterErrors(run: Run, later: readonly Evaluation[]): Generator<void, FieldError[]> {
  let stepEnd = Number.POSITIVE_INFINITY;
  for (const { node, place } of later) {
    if (run.isOver) break;
    if (run.left <= stepEnd) {
      stepEnd = run.left - costPerStep;
      yield;
    }
    evaluateRules(node, place, run);
  }
  return run.errors;
}

/** One validation, which ends when its budget is exhausted. */
interface Run {
  readonly call: number;
  left: number;
  isOver: boolean;
  readonly errors: FieldError[];
  /** When at most this much budget is left, evaluations are deferred to `later`. */
  readonly laterFrom: number;
  /** Deferred evaluations, in order. */
  later?: Evaluation[];
}

/** The rules of a node to evaluate at a place. */
interface Evaluation {
  readonly node: RuleNode;
  readonly place: Place;
}

interface Place {
  readonly value: JsonValue;
  /** Undefined if there is no old value that can be correlated. */
  readonly old: JsonValue | undefined;
  readonly path: FieldPath;
}

function visit(node: RuleNode, place: Place, run: Run): void {
  // The parent's rules check the presence of a value.
  if (place.value === null || run.isOver) return;
  if (node.rules.length > 0) {
    if (run.left > run.laterFrom) evaluateRules(node, place, run);
    else {
      run.later ??= [];
      run.later.push({ node, place });
    }
  }
  if (Array.isArray(place.value)) visitItems(node, place.value, place, run);
  else if (isJsonObject(place.value)) visitMembers(node, place.value, place, run);
}

function visitMembers(node: RuleNode, value: JsonObject, { old, path }: Place, run: Run): void {
  const before = isJsonObject(old) ? old : {};
  const oldMember = (name: string) => (Object.hasOwn(before, name) ? before[name] : undefined);
  for (const [name, child] of node.properties) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member !== undefined)
      visit(child, { value: member, old: oldMember(name), path: path.child(name) }, run);
  }
  if (node.others === undefined) return;
  for (const [name, member] of Object.entries(value))
    visit(node.others, { value: member, old: oldMember(name), path: path.key(name) }, run);
}

function visitItems(node: RuleNode, value: readonly JsonValue[], { old, path }: Place, run: Run): void {
  const { items, listKeys } = node;
  if (items === undefined) return;
  const before = listKeys === undefined || !Array.isArray(old) ? undefined : indexByKeys(old, listKeys);
  value.forEach((item, index) => {
    const was = before && listKeys && before.get(itemIdentity(item, listKeys));
    visit(items, { value: item, old: was, path: path.index(index) }, run);
  });
}

function indexByKeys(items: readonly JsonValue[], keys: readonly string[]): Map<string, JsonValue> {
  return new Map(items.map(item => [itemIdentity(item, keys), item]));
}

function itemIdentity(item: JsonValue, keys: readonly string[]): string {
  return JSON.stringify(keys.map(key => (isJsonObject(item) && Object.hasOwn(item, key) ? item[key] : null)));
}

function evaluateRules({ rules, type, typeName }: RuleNode, { value, old, path }: Place, run: Run): void {
  let self: Value | undefined;
  let oldSelf: Value | undefined;
  // Existing Kubernetes clients expect this name for the object itself.
  const field = String(path) || '<nil>';
  const report = (detail: string) => run.errors.push(invalidField(field, typeName, detail));
  for (const rule of rules) {
    if (rule.isTransition && (old === undefined || old === null)) continue;
    if (rule.program === undefined) {
      report(rule.fault);
      continue;
    }
    self ??= valueFromJson(value, type);
    if (rule.isTransition) oldSelf ??= valueFromJson(old, type);
    const outcome = rule.program.evaluate([self, oldSelf], Math.min(run.call, run.left));
    run.left -= outcome.cost;
    if (outcome.isHalted) {
      run.isOver = true;
      report(run.left <= 0 ? outOfBudget : `${tooDear}: ${rule.text}`);
      return;
    }
    if (outcome.value !== true) report(formatFailure(rule, outcome.value));
  }
}

const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';
const tooDear = 'no further validation rules will be run due to call cost exceeds limit for rule';

function formatFailure({ text, message }: SchemaRule, value: Value): string {
  if (value instanceof CelError) return `the rule ${JSON.stringify(text)} failed: ${value.message}`;
  return message === '' ? `failed rule: ${text}` : message;
}
