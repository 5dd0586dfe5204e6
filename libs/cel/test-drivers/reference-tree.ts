import type { Constant, Expression, MapEntry, StructField } from '../syntax/expression.ts';
import { Uint } from '../values/uint.ts';

type Names = ReadonlyMap<number, string>;

const noNames: Names = new Map();

/** A tree in the form that the standard's own test data has trees in; `names` are what its names were found to mean. */
export function referenceTreeOf(node: Expression, names = noNames): Record<string, unknown> {
  return { $typeName: 'cel.expr.Expr', id: BigInt(node.id), exprKind: kindOf(node, names) };
}

function kindOf(node: Expression, names: Names): unknown {
  const meant = names.get(node.id);
  if (meant !== undefined && node.kind === 'select') return { case: 'identExpr', value: { name: meant } };
  const treeOf = (part: Expression): unknown => referenceTreeOf(part, names);
  switch (node.kind) {
    case 'constant':
      return {
        case: 'constExpr',
        value: { $typeName: 'cel.expr.Constant', constantKind: constantOf(node.value) },
      };
    case 'identifier':
      return { case: 'identExpr', value: { name: meant ?? node.name } };
    case 'select':
      return {
        case: 'selectExpr',
        value: { operand: treeOf(node.operand), field: node.field, testOnly: node.isTest },
      };
    case 'call':
      return {
        case: 'callExpr',
        value: {
          target: node.target && treeOf(node.target),
          function: node.function,
          args: node.arguments.map(treeOf),
        },
      };
    case 'list':
      return {
        case: 'listExpr',
        value: { elements: node.elements.map(treeOf), optionalIndices: [] },
      };
    case 'map':
      return {
        case: 'structExpr',
        value: { messageName: '', entries: node.entries.map(entry => mapEntryOf(entry, treeOf)) },
      };
    case 'struct':
      return {
        case: 'structExpr',
        value: { messageName: meant ?? node.name, entries: node.fields.map(field => fieldOf(field, treeOf)) },
      };
    case 'comprehension':
      return {
        case: 'comprehensionExpr',
        value: {
          iterVar: node.variable,
          iterVar2: '',
          iterRange: treeOf(node.range),
          accuVar: node.accumulator,
          accuInit: treeOf(node.initial),
          loopCondition: treeOf(node.condition),
          loopStep: treeOf(node.step),
          result: treeOf(node.result),
        },
      };
  }
}

function mapEntryOf({ id, key, value }: MapEntry, treeOf: (part: Expression) => unknown): unknown {
  return {
    $typeName: 'cel.expr.Expr.CreateStruct.Entry',
    id: BigInt(id),
    keyKind: { case: 'mapKey', value: treeOf(key) },
    value: treeOf(value),
    optionalEntry: false,
  };
}

function fieldOf({ id, field, value }: StructField, treeOf: (part: Expression) => unknown): unknown {
  return {
    $typeName: 'cel.expr.Expr.CreateStruct.Entry',
    id: BigInt(id),
    keyKind: { case: 'fieldKey', value: field },
    value: treeOf(value),
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
