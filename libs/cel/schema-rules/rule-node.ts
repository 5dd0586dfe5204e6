import { extensions } from '@binnacle/api-names';
import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import type { CheckedExpression } from '../check/check-expression.ts';
import { compileValidationRule, ruleEnvironment, ruleVariables } from '../check/validation-rule.ts';
import { createProgram, type Program } from '../evaluate/program.ts';
import { typeFromSchema } from '../types/schema-types.ts';
import type { CelType } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';

/** A rule of a schema, ready to be evaluated. */
export interface SchemaRule {
  readonly text: string;
  /** The message when the rule does not hold; '' for the rule itself. */
  readonly message: string;
  /** It is evaluated only where there is a value before. */
  readonly isTransition: boolean;
  /** Undefined with `fault`: a rule that was stored before its definition was checked for what it says. */
  readonly program: Program | undefined;
  readonly fault: string;
}

/** The rules at a place of a schema and below it; there is a node only where there are some. */
export interface RuleNode {
  /** `object`, `array` and so on, as findings show the value. */
  readonly typeName: string;
  readonly type: CelType;
  readonly rules: readonly SchemaRule[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly others: RuleNode | undefined;
  readonly items: RuleNode | undefined;
  /** Of a keyed list, by which elements are known again; undefined for other lists. */
  readonly listKeys: readonly string[] | undefined;
}

/** The rules of a schema; undefined when it has none. */
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

/** A rule as the schema has it. */
interface RuleText {
  readonly rule: string;
  readonly message: string;
}

/** The rules that a schema has at its own place. */
export function readRuleTexts(schema: JsonObject): readonly RuleText[] {
  const rules = schema[extensions.validations];
  if (!Array.isArray(rules)) return [];
  return rules.filter(isJsonObject).map(({ rule, message }) => ({
    rule: typeof rule === 'string' ? rule.trim() : '',
    message: typeof message === 'string' ? message.trim() : '',
  }));
}

/** The keys of a keyed list; undefined for other schemas. */
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

/** Makes the program of a rule, or an error of one that cannot be evaluated: a constant pattern in it that is none, say. */
export function createRuleProgram({ parsed, facts }: CheckedExpression): Program | CelError {
  const variables = [ruleVariables.value, ruleVariables.oldValue];
  return createProgram(parsed, { variables, facts });
}

function faultyRule(text: string, message: string, fault: string): SchemaRule {
  return { text, message, isTransition: false, program: undefined, fault };
}
