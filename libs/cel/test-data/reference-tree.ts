import type { Constant, Expression, MapEntry, StructField } from '../syntax/expression.ts';
import { Uint } from '../values/uint.ts';

/** A tree in the form that the standard's own test data has trees in. */
export function referenceTreeOf(node: Expression): Record<string, unknown> {
  return { $typeName: 'cel.expr.Expr', id: BigInt(node.id), exprKind: kindOf(node) };
}

function kindOf(node: Expression): unknown {
  switch (node.kind) {
    case 'constant':
      return {
        case: 'constExpr',
        value: { $typeName: 'cel.expr.Constant', constantKind: constantOf(node.value) },
      };
    case 'identifier':
      return { case: 'identExpr', value: { name: node.name } };
    case 'select':
      return {
        case: 'selectExpr',
        value: { operand: referenceTreeOf(node.operand), field: node.field, testOnly: node.isTest },
      };
    case 'call':
      return {
        case: 'callExpr',
        value: {
          target: node.target && referenceTreeOf(node.target),
          function: node.function,
          args: node.arguments.map(referenceTreeOf),
        },
      };
    case 'list':
      return {
        case: 'listExpr',
        value: { elements: node.elements.map(referenceTreeOf), optionalIndices: [] },
      };
    case 'map':
      return { case: 'structExpr', value: { messageName: '', entries: node.entries.map(mapEntryOf) } };
    case 'struct':
      return { case: 'structExpr', value: { messageName: node.name, entries: node.fields.map(fieldOf) } };
    case 'comprehension':
      return {
        case: 'comprehensionExpr',
        value: {
          iterVar: node.variable,
          iterVar2: '',
          iterRange: referenceTreeOf(node.range),
          accuVar: node.accumulator,
          accuInit: referenceTreeOf(node.initial),
          loopCondition: referenceTreeOf(node.condition),
          loopStep: referenceTreeOf(node.step),
          result: referenceTreeOf(node.result),
        },
      };
  }
}

function mapEntryOf({ id, key, value }: MapEntry): unknown {
  return {
    $typeName: 'cel.expr.Expr.CreateStruct.Entry',
    id: BigInt(id),
    keyKind: { case: 'mapKey', value: referenceTreeOf(key) },
    value: referenceTreeOf(value),
    optionalEntry: false,
  };
}

function fieldOf({ id, field, value }: StructField): unknown {
  return {
    $typeName: 'cel.expr.Expr.CreateStruct.Entry',
    id: BigInt(id),
    keyKind: { case: 'fieldKey', value: field },
    value: referenceTreeOf(value),
    optionalEntry: false,
  };
}

function constantOf(value: Constant): unknown {
  if (value === null) return { case: 'nullValue', value: 0 };
  if (value instanceof Uint) return { case: 'uint64Value', value: value.value };
  if (value instanceof Uint8Array) return { case: 'bytesValue', value };
  switch (typeof value) {
    case 'boolean':
      return { case: 'boolValue', value };
    case 'bigint':
      return { case: 'int64Value', value };
    case 'number':
      return { case: 'doubleValue', value };
    case 'string':
      return { case: 'stringValue', value };
  }
}
