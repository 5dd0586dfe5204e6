import { extensions } from '@binnacle/api-names';
import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import type { CheckedExpression } from '../check/check-expression.ts';
import { compileValidationRule, ruleEnvironment, ruleVariables } from '../check/validation-rule.ts';
import { createProgram, type Program } from '../evaluate/program.ts';
import { typeFromSchema } from '../types/schema-types.ts';
import type { CelType } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';

/** A compiled rule of a schema. */
export interface SchemaRule {
  readonly text: string;
  /** The message for a failed rule; '' to show the rule itself. */
  readonly message: string;
  /** Whether the rule is only evaluated when there is an old value. */
  readonly isTransition: boolean;
  /** Undefined with `fault`: a rule that was stored before definitions were validated for it. */
  readonly program: Program | undefined;
  readonly fault: string;
}

/** The rules of a schema node and of the nodes below it; nodes without rules are left out. */
export interface RuleNode {
  /** `object`, `array` and so on, for messages. */
  readonly typeName: string;
  readonly type: CelType;
  readonly rules: readonly SchemaRule[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly others: RuleNode | undefined;
  readonly items: RuleNode | undefined;
  /** The keys of a keyed list, which correlate its elements; undefined for other lists. */
  readonly listKeys: readonly string[] | undefined;
}

/** Creates the rule tree of a schema; undefined if it has no rules. */
export function createRuleNode(schema: JsonObject, isRoot: boolean): RuleNode | undefined {
  const properties = new Map<string, RuleNode>();
  for (const [name, child] of Object.entries(childSchemas(schema['properties']))) {
    const node = isJsonObject(child) ? createRuleNode(child, false) : undefined;
    if (node !== undefined) properties.set(name, node);
  }
  const others = nodeBelow(schema['additionalProperties']);
  const items = nodeBelow(schema['items']);
  const texts = readRuleTexts(schema);
  if (texts.length === 0 && properties.size === 0 && others === undefined && items === undefined)
    return undefined;
  const type = typeFromSchema(schema, isRoot ? { isRoot } : {}) ?? { kind: 'dyn' };
  const rules = texts.length === 0 ? [] : compileRules(texts, type);
  const typeName = typeof schema['type'] === 'string' ? schema['type'] : '';
  return { typeName, type, rules, properties, others, items, listKeys: readListKeys(schema) };
}

/** A rule as written in the schema. */
interface RuleText {
  readonly rule: string;
  readonly message: string;
}

/** Returns the rules of a schema node itself. */
export function readRuleTexts(schema: JsonObject): readonly RuleText[] {
  const rules = schema[extensions.validations];
  if (!Array.isArray(rules)) return [];
  return rules.filter(isJsonObject).map(({ rule, message }) => ({
    rule: typeof rule === 'string' ? rule.trim() : '',
    message: typeof message === 'string' ? message.trim() : '',
  }));
}

/** Returns the keys of a keyed list; undefined for other schemas. */
export function readListKeys(schema: JsonObject): readonly string[] | undefined {
  const keys = schema[extensions.listMapKeys];
  return schema[extensions.listType] === 'map' && Array.isArray(keys) ? keys.map(String) : undefined;
}

function childSchemas(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function nodeBelow(value: unknown): RuleNode | undefined {
  return isJsonObject(value) ? createRuleNode(value, false) : undefined;
}

function compileRules(texts: readonly RuleText[], type: CelType): SchemaRule[] {
  const environment = ruleEnvironment(type);
  return texts.flatMap(({ rule, message }): SchemaRule[] => {
    const outcome = compileValidationRule(rule, environment);
    if (outcome.kind === 'empty') return [];
    if (outcome.kind === 'refused') return [faultyRule(rule, message, outcome.message)];
    const program = createRuleProgram(outcome.checked);
    if (program instanceof CelError) return [faultyRule(rule, message, program.message)];
    return [{ text: rule, message, isTransition: outcome.isTransition, program, fault: '' }];
  });
}

/**
 * Compiles the program of a rule; returns an error if it cannot be compiled, for example because of an invalid constant pattern.
 */
export function createRuleProgram({ parsed, facts }: CheckedExpression): Program | CelError {
  const variables = [ruleVariables.value, ruleVariables.oldValue];
  return createProgram(parsed, { variables, facts });
}

function faultyRule(text: string, message: string, fault: string): SchemaRule {
  return { text, message, isTransition: false, program: undefined, fault };
}
