import type { FieldSelector, LabelRequirement } from '@binnacle/api-objects';
import type { CachedObject, CacheQuery } from '../contract/contract.ts';

/** A value of objects by which queries can be found: one label, or one field. */
export interface Dimension {
  /** Equal for equal dimensions. */
  readonly id: string;
  valueOf(object: CachedObject): string | undefined;
}

/** A query made ready to be asked of many objects. */
export interface CompiledQuery {
  /** Equal for queries that ask for the same. */
  readonly id: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** Objects without this value under this dimension do not match; the most selective one there is. */
  readonly index: { readonly dimension: Dimension; readonly value: string } | undefined;
  /** Whether namespace and name say everything. */
  readonly isExact: boolean;
  matches(object: CachedObject): boolean;
}

const nameDimension: Dimension = { id: 'field metadata.name', valueOf: object => object.name };

/** Compiles a query. */
export function compileQuery(query: CacheQuery): CompiledQuery {
  const { fieldSelector, labelSelector } = query;
  const namespace = query.namespace ?? equalTo(fieldSelector, 'metadata.namespace');
  const name = equalTo(fieldSelector, 'metadata.name');
  const tests: ((object: CachedObject) => boolean)[] = [];
  if (namespace !== undefined) tests.push(object => object.namespace === namespace);
  if (name !== undefined) tests.push(object => object.name === name);
  const looksAtFields = fieldSelector !== undefined && !saysOnly(fieldSelector, namespace, name);
  if (looksAtFields) tests.push(object => fieldSelector.matches(object.fields));
  // A selector without terms may also be the one that nothing satisfies.
  const looksAtLabels =
    labelSelector !== undefined && (labelSelector.requirements.length > 0 || !labelSelector.matches({}));
  if (looksAtLabels) tests.push(object => labelSelector.matches(object.labels));
  return {
    // In JSON a namespace holds no line end, and neither does the text of a label selector: no two queries collide.
    id: `${JSON.stringify(query.namespace ?? null)}\n${fieldSelector?.toString() ?? ''}\n${labelSelector?.toString() ?? ''}`,
    namespace,
    name,
    index: indexOf(query, name),
    isExact: !looksAtFields && !looksAtLabels,
    matches: allOf(tests),
  };
}

function allOf(tests: readonly ((object: CachedObject) => boolean)[]): (object: CachedObject) => boolean {
  const [first, second, third] = tests;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (third === undefined) return object => first(object) && second(object);
  return object => {
    for (const test of tests) if (!test(object)) return false;
    return true;
  };
}

function equalTo(selector: FieldSelector | undefined, field: string): string | undefined {
  return selector?.requirements.find(r => r.field === field && r.operator === '=')?.value;
}

/** Whether a selector has no terms but equality of these two. */
function saysOnly(selector: FieldSelector, namespace: string | undefined, name: string | undefined): boolean {
  return selector.requirements.every(
    ({ field, operator, value }) =>
      operator === '=' &&
      ((field === 'metadata.namespace' && value === namespace) ||
        (field === 'metadata.name' && value === name)),
  );
}

function indexOf(query: CacheQuery, name: string | undefined): CompiledQuery['index'] {
  if (name !== undefined) return { dimension: nameDimension, value: name };
  for (const { field, operator, value } of query.fieldSelector?.requirements ?? []) {
    // The empty value stands for absence too, which an index cannot find.
    if (operator === '=' && value !== '' && field !== 'metadata.namespace') {
      return { dimension: fieldDimension(field), value };
    }
  }
  for (const requirement of query.labelSelector?.requirements ?? []) {
    const [value] = requirement.values;
    if (value !== undefined && isEquality(requirement)) {
      return { dimension: labelDimension(requirement.key), value };
    }
  }
  return undefined;
}

function isEquality({ operator, values }: LabelRequirement): boolean {
  return values.length === 1 && (operator === '=' || operator === '==' || operator === 'in');
}

function fieldDimension(field: string): Dimension {
  return { id: `field ${field}`, valueOf: object => textAt(object.fields, field) };
}

function labelDimension(key: string): Dimension {
  return { id: `label ${key}`, valueOf: object => textAt(object.labels, key) };
}

function textAt(values: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
