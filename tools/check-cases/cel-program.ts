import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import {
  CelError,
  type CelType,
  compileText,
  costBudgets,
  createEnvironment,
  createProgram,
  valueFromJson,
} from '@binnacle/cel';
import {
  type CheckedExpression,
  type Evaluation,
  ExpressionError,
  typeFromSchema,
} from '@binnacle/cel/testing';

/** A rule with its schema and objects. */
export interface RuleRow {
  readonly name: string;
  readonly rule: string;
  readonly schema: JsonObject;
  readonly object?: JsonValue;
  readonly oldObject?: JsonValue;
}

/** The groups of a file that share a schema and objects, with a row for each of their rules. */
export function rowsFromGroups<Row extends object>(
  groups: readonly unknown[],
  rulesFromGroup: (group: never) => readonly Row[],
): (Row & Omit<RuleRow, 'rule'>)[] {
  return groups.flatMap(group => {
    const { name, schema, object, oldObject } = group as Omit<RuleRow, 'rule'>; // the file says so
    // Only the group's reader knows its form.
    return rulesFromGroup(group as never).map(row => ({
      ...row,
      name,
      schema,
      ...(object !== undefined && { object }),
      ...(oldObject !== undefined && { oldObject }),
    }));
  });
}

/** The type of `self` at the root of a schema; where the schema says nothing, any type. */
export function selfTypeFromSchema(schema: JsonObject): CelType {
  return typeFromSchema(schema, { isRoot: schema['type'] === 'object' }) ?? { kind: 'dyn' };
}

/** Reads and checks a rule over values of a type; an error says why it is not valid. */
export function checkedRule(rule: string, self: CelType): CheckedExpression | CelError {
  const variables = [
    ['self', self],
    ['oldSelf', self],
  ] as const;
  try {
    return compileText(rule, createEnvironment({ variables }));
  } catch (error) {
    if (error instanceof ExpressionError) return new CelError(error.message);
    throw error;
  }
}

/** The result of a rule, or the reason why it cannot be evaluated. */
export function evaluateRule({ rule, schema, object, oldObject }: RuleRow): Evaluation | CelError {
  const type = selfTypeFromSchema(schema);
  const checked = checkedRule(rule, type);
  if (checked instanceof CelError) return checked;
  const { parsed, facts } = checked;
  const program = createProgram(parsed, { variables: ['self', 'oldSelf'], facts });
  if (program instanceof CelError) return program;
  const values = [object, oldObject].map(value =>
    value === undefined ? undefined : valueFromJson(value, type),
  );
  return program.evaluate(values, costBudgets.call);
}
