import type { Constant, Expression, MapEntry, StructField } from '../syntax/expression.ts';
import { Uint } from '../values/uint.ts';

type Names = ReadonlyMap<number, string>;

const noNames: Names = new Map();

/** Converts a tree to the form of the standard's test data; `names` are the resolved names. */
export function createReferenceTree(node: Expression, names = noNames): Record<string, unknown> {
  return { $typeName: 'cel.expr.Expr', id: BigInt(node.id), exprKind: createReferenceKind(node, names) };
}

function createReferenceKind(node: Expression, names: Names): unknown {
  const meant = names.get(node.id);
  if (meant !== undefined && node.kind === 'select') return { case: 'identExpr', value: { name: meant } };
  const toTree = (part: Expression): unknown => createReferenceTree(part, names);
  switch (node.kind) {
    case 'constant':
      return {
        case: 'constExpr',
        value: { $typeName: 'cel.expr.Constant', constantKind: createConstant(node.value) },
      };
    case 'identifier':
      return { case: 'identExpr', value: { name: meant ?? node.name } };
    case 'select':
      return {
        case: 'selectExpr',
        value: { operand: toTree(node.operand), field: node.field, testOnly: node.isTest },
      };
    case 'call':
      return {
        case: 'callExpr',
        value: {
          target: node.target && toTree(node.target),
          function: node.function,
          args: node.arguments.map(toTree),
        },
      };
    case 'list':
      return {
        case: 'listExpr',
        value: { elements: node.elements.map(toTree), optionalIndices: [] },
      };
    case 'map':
      return {
        case: 'structExpr',
        value: { messageName: '', entries: node.entries.map(entry => createMapEntry(entry, toTree)) },
      };
    case 'struct':
      return {
        case: 'structExpr',
        value: {
          messageName: meant ?? node.name,
          entries: node.fields.map(field => createField(field, toTree)),
        },
      };
    case 'comprehension':
      return {
        case: 'comprehensionExpr',
        value: {
          iterVar: node.variable,
          iterVar2: '',
          iterRange: toTree(node.range),
          accuVar: node.accumulator,
          accuInit: toTree(node.initial),
          loopCondition: toTree(node.condition),
          loopStep: toTree(node.step),
          result: toTree(node.result),
        },
      };
  }
}

function createMapEntry({ id, key, value }: MapEntry, toTree: (part: Expression) => unknown): unknown {
  return {
    $typeName: 'cel.expr.Expr.CreateStruct.Entry',
    id: BigInt(id),
    keyKind: { case: 'mapKey', value: toTree(key) },
    value: toTree(value),
    optionalEntry: false,
  };
}

function createField({ id, field, value }: StructField, toTree: (part: Expression) => unknown): unknown {
  return {
    $typeName: 'cel.expr.Expr.CreateStruct.Entry',
    id: BigInt(id),
    keyKind: { case: 'fieldKey', value: field },
    value: toTree(value),
    optionalEntry: false,
  };
}

function createConstant(value: Constant): unknown {
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
