import {
  compareQuantities,
  duplicateField,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  type Quantity,
  quantityToNumber,
  requiredField,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { LimitRange, LimitRangeItem } from '../generated/core/v1.ts';
import { isRepeated } from '../values/repeated-values.ts';
import {
  containerResourceNameErrors,
  isOvercommitAllowed,
  parseAmount,
  resourceNameErrors,
} from './resource-amounts/standard-resources.ts';

const standardTypes = ['Container', 'PersistentVolumeClaim', 'Pod'];
const bounds = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

type Bound = (typeof bounds)[number];

const podless: readonly Bound[] = ['default', 'defaultRequest'];

/** Validates a limit range: unique types, and consistent bounds and defaults. */
export function limitRangeErrors(object: LimitRange): FieldError[] {
  const path = fieldPath('spec', 'limits');
  const items = object.spec?.limits ?? [];
  const types = items.map(item => item.type ?? '');
  return items.flatMap((item, index) => {
    const at = path.index(index);
    const type = types[index] ?? '';
    return [
      ...typeErrors(type, at.child('type')),
      ...(isRepeated(types, index) ? [duplicateField(at.child('type'), type)] : []),
      ...nameErrors(item, type, at),
      ...applicabilityErrors(item, type, at),
      ...listResourceNames(item).flatMap(name => boundErrors(item, name, at)),
    ];
  });
}

function typeErrors(type: string, path: FieldPath): FieldError[] {
  const messages = validateQualifiedName(type);
  if (messages.length === 0 && !type.includes('/') && !standardTypes.includes(type))
    messages.push('must be a standard limit type or fully qualified');
  return messages.map(message => invalidField(path, type, message));
}

function nameErrors(item: LimitRangeItem, type: string, path: FieldPath): FieldError[] {
  const rule = type === 'Pod' || type === 'Container' ? containerResourceNameErrors : resourceNameErrors;
  // For type Pod all defaults are refused, regardless of the resource names.
  const named = type === 'Pod' ? bounds.filter(bound => !podless.includes(bound)) : bounds;
  return named.flatMap(bound =>
    Object.keys(item[bound] ?? {}).flatMap(name => rule(name, path.child(bound).key(name))),
  );
}

/** Type Pod must not have defaults; type PersistentVolumeClaim requires a storage bound. */
function applicabilityErrors(item: LimitRangeItem, type: string, path: FieldPath): FieldError[] {
  if (type === 'Pod')
    return podless
      .filter(bound => Object.keys(item[bound] ?? {}).length > 0)
      .map(bound => forbiddenField(path.child(bound), "may not be specified when `type` is 'Pod'"));
  const boundsStorage = (['min', 'max'] as const).some(bound => amountIn(item, bound, 'storage'));
  return type === 'PersistentVolumeClaim' && !boundsStorage
    ? [requiredField(path.child('limits'), 'either minimum or maximum storage value is required')]
    : [];
}

function listResourceNames(item: LimitRangeItem): string[] {
  return [...new Set(bounds.flatMap(bound => Object.keys(item[bound] ?? {})))].sort();
}

function valueIn(item: LimitRangeItem, bound: Bound, name: string): string | undefined {
  return item[bound]?.[name];
}

function amountIn(item: LimitRangeItem, bound: Bound, name: string): Quantity | undefined {
  return parseAmount(valueIn(item, bound, name));
}

/** Pairs of bounds of which the first must not exceed the second, and the bound that the error names. */
const ordered: readonly (readonly [less: Bound, more: Bound, blamed: Bound])[] = [
  ['min', 'max', 'min'],
  ['min', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'max', 'defaultRequest'],
  ['defaultRequest', 'default', 'defaultRequest'],
  ['min', 'default', 'default'],
  ['default', 'max', 'default'],
];

function boundErrors(item: LimitRangeItem, name: string, path: FieldPath): FieldError[] {
  const errors = ordered.flatMap(([less, more, blamed]) => {
    const [small, large] = [amountIn(item, less, name), amountIn(item, more, name)];
    if (!small || !large || compareQuantities(small, large) <= 0) return [];
    const detail = `${less} value ${text(item, less, name)} is greater than ${more} value ${text(item, more, name)}`;
    return [invalidField(path.child(blamed).key(name), valueIn(item, blamed, name), detail)];
  });
  return [...errors, ...ratioErrors(item, name, path), ...overcommitErrors(item, name, path)];
}

function ratioErrors(item: LimitRangeItem, name: string, path: FieldPath): FieldError[] {
  const ratio = amountIn(item, 'maxLimitRequestRatio', name);
  if (!ratio) return [];
  const at = path.child('maxLimitRequestRatio').key(name);
  const value = valueIn(item, 'maxLimitRequestRatio', name);
  const errors: FieldError[] = [];
  if (quantityToNumber(ratio) < 1)
    errors.push(invalidField(at, value, `ratio ${String(value)} is less than 1`));
  const [min, max] = [amountIn(item, 'min', name), amountIn(item, 'max', name)];
  if (!min || !max || min.nanos <= 0n) return errors;
  const largest = quantityToNumber(max) / quantityToNumber(min);
  if (quantityToNumber(ratio) > largest)
    errors.push(invalidField(at, value, `ratio ${String(value)} is greater than max/min = ${largest}`));
  return errors;
}

function overcommitErrors(item: LimitRangeItem, name: string, path: FieldPath): FieldError[] {
  const [limit, request] = [amountIn(item, 'default', name), amountIn(item, 'defaultRequest', name)];
  if (isOvercommitAllowed(name) || !limit || !request || compareQuantities(limit, request) === 0) return [];
  const detail = `default value ${text(item, 'default', name)} must equal defaultRequest value ${text(item, 'defaultRequest', name)} in ${name}`;
  return [
    invalidField(path.child('defaultRequest').key(name), valueIn(item, 'defaultRequest', name), detail),
  ];
}

function text(item: LimitRangeItem, bound: Bound, name: string): string {
  return String(valueIn(item, bound, name));
}
