import type { FieldSelector, LabelRequirement } from '@binnacle/api-objects';
import type { CachedObject, CacheQuery } from '../contract/contract.ts';

/** The index stores a watch under each value of an equality; equalities with more values are not indexed, which bounds memory. */
const mostDemandedValues = 16;

/** An equality that a query requires: a field or label has one of the values. */
export interface Equality {
  readonly kind: 'field' | 'label';
  readonly key: string;
  /** Distinct values. */
  readonly values: readonly string[];
}

/** A query compiled for matching many objects. */
export interface CompiledQuery {
  /** Equal for equivalent queries. */
  readonly id: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** Equalities of at most 16 values; matching objects satisfy all of them. */
  readonly demands: readonly Equality[];
  /** Equality requirements of the label selector. */
  readonly equalities: readonly LabelRequirement[];
  /** Whether namespace and name alone determine the result. */
  readonly isExact: boolean;
  matches(object: CachedObject): boolean;
  /** Remaining conditions for objects of the namespace that satisfy one of `equalities`; undefined: all of them match. */
  besides(equality: LabelRequirement): ((object: CachedObject) => boolean) | undefined;
}

type Test = (object: CachedObject) => boolean;

/** Compiles a query. */
export function compileQuery(query: CacheQuery): CompiledQuery {
  const { fieldSelector, labelSelector } = query;
  const namespace = query.namespace ?? equalTo(fieldSelector, 'metadata.namespace');
  const name = equalTo(fieldSelector, 'metadata.name');
  const tests: Test[] = [];
  if (namespace !== undefined) tests.push(object => object.namespace === namespace);
  if (name !== undefined) tests.push(object => object.name === name);
  const looksAtFields = fieldSelector !== undefined && !saysOnly(fieldSelector, namespace, name);
  const fieldTests: Test[] = looksAtFields ? [object => fieldSelector.matches(object.fields)] : [];
  tests.push(...fieldTests);
  const requirements = labelSelector?.requirements ?? [];
  // A selector without requirements may also be one that matches nothing.
  const looksAtLabels =
    labelSelector !== undefined && (requirements.length > 0 || !labelSelector.matches({}));
  if (looksAtLabels) tests.push(object => labelSelector.matches(object.labels));
  const equalities = requirements.filter(isEquality);
  return {
    // The JSON namespace and the label selector text contain no line break: ids of different queries differ.
    id: `${JSON.stringify(query.namespace ?? null)}\n${fieldSelector?.toString() ?? ''}\n${labelSelector?.toString() ?? ''}`,
    namespace,
    name,
    demands: [
      ...fieldDemands(fieldSelector),
      ...equalities
        .filter(({ values }) => values.length <= mostDemandedValues)
        .map(({ key, values }): Equality => ({ kind: 'label', key, values })),
    ],
    equalities,
    isExact: !looksAtFields && !looksAtLabels,
    matches: combineTests(tests) ?? (() => true),
    besides(equality) {
      const others = requirements.filter(requirement => requirement !== equality);
      return combineTests([
        ...fieldTests,
        ...others.map(
          (requirement): Test =>
            object =>
              requirement.matches(object.labels),
        ),
      ]);
    },
  };
}

/** Returns undefined for an empty list. */
function combineTests(tests: readonly Test[]): Test | undefined {
  const [first, second, third] = tests;
  if (second === undefined) return first;
  if (first !== undefined && third === undefined) return object => first(object) && second(object);
  return object => {
    for (const test of tests) if (!test(object)) return false;
    return true;
  };
}

function equalTo(selector: FieldSelector | undefined, field: string): string | undefined {
  return selector?.requirements.find(r => r.field === field && r.operator === '=')?.value;
}

/** Whether a selector only requires this namespace and name. */
function saysOnly(selector: FieldSelector, namespace: string | undefined, name: string | undefined): boolean {
  return selector.requirements.every(
    ({ field, operator, value }) =>
      operator === '=' &&
      ((field === 'metadata.namespace' && value === namespace) ||
        (field === 'metadata.name' && value === name)),
  );
}

function fieldDemands(selector: FieldSelector | undefined): Equality[] {
  const demands: Equality[] = [];
  for (const { field, operator, value } of selector?.requirements ?? []) {
    // An empty value also matches an absent field, which an index cannot find; the namespace is indexed separately.
    if (operator !== '=' || value === '' || field === 'metadata.namespace') continue;
    demands.push({ kind: 'field', key: field, values: [value] });
  }
  return demands;
}

function isEquality({ operator, values }: LabelRequirement): boolean {
  return values.length > 0 && (operator === '=' || operator === '==' || operator === 'in');
}
