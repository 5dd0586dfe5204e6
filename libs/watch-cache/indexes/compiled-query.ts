import type { FieldSelector, LabelRequirement } from '@binnacle/api-objects';
import type { CachedObject, CacheQuery } from '../contract/contract.ts';

/** A watch is filed under each value of an equality: one with more values is asked instead, so that it cannot take much memory. */
const mostDemandedValues = 16;

/** An equality that a query demands of objects: a field or a label has one of some values. */
export interface Equality {
  readonly kind: 'field' | 'label';
  readonly key: string;
  /** Different from each other. */
  readonly values: readonly string[];
}

/** A query made ready to be asked of many objects. */
export interface CompiledQuery {
  /** Equal for queries that ask for the same. */
  readonly id: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** Objects that do not satisfy each of them do not match; those of few values. */
  readonly demands: readonly Equality[];
  /** Those of the label selector, as it says them. */
  readonly equalities: readonly LabelRequirement[];
  /** Whether namespace and name say everything. */
  readonly isExact: boolean;
  matches(object: CachedObject): boolean;
  /** Conditions on objects of the namespace that satisfy one of `equalities`; undefined: they match. */
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
  // A selector without terms may also be the one that nothing satisfies.
  const looksAtLabels =
    labelSelector !== undefined && (requirements.length > 0 || !labelSelector.matches({}));
  if (looksAtLabels) tests.push(object => labelSelector.matches(object.labels));
  const equalities = requirements.filter(isEquality);
  return {
    // In JSON a namespace holds no line end, and neither does the text of a label selector: no two queries collide.
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

/** Undefined where there is nothing to ask. */
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

/** Whether a selector has no terms but equality of these two. */
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
    // The empty value stands for absence too, which objects cannot be found by; a namespace is no value of its own.
    if (operator !== '=' || value === '' || field === 'metadata.namespace') continue;
    demands.push({ kind: 'field', key: field, values: [value] });
  }
  return demands;
}

function isEquality({ operator, values }: LabelRequirement): boolean {
  return values.length > 0 && (operator === '=' || operator === '==' || operator === 'in');
}
