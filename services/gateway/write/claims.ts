import {
  type ApiObject,
  causeFromFieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  isJsonObject,
  type JsonValue,
} from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { conflict, invalid, type StatusError } from '@binnacle/status-errors';
import { kindNameOf, resourceNameOf } from './names.ts';

/** The keys of the unique things that an object holds. */
export function claimsOf(definition: ResourceDefinition, object: ApiObject): readonly string[] {
  return definition.rules.claimsOf?.(object) ?? [];
}

/** The failure for a claim that another object holds: 422 at the field with the claimed value, else 409. */
export function claimTaken(definition: ResourceDefinition, object: ApiObject, claim: string): StatusError {
  const name = object.metadata.name ?? '';
  const value = claim.slice(claim.lastIndexOf('/') + 1);
  const found = isJsonObject(object['spec'])
    ? findValue(object['spec'], value, fieldPath('spec'))
    : undefined;
  if (found === undefined) return conflict(resourceNameOf(definition), name, `${value} is already allocated`);
  const error = invalidField(found.path, found.value, 'provided value is already allocated');
  return invalid(kindNameOf(definition), name, [causeFromFieldError(error)]);
}

function findValue(
  value: JsonValue,
  sought: string,
  path: FieldPath,
): { readonly path: FieldPath; readonly value: JsonValue } | undefined {
  if (typeof value === 'string' || typeof value === 'number')
    return String(value) === sought ? { path, value } : undefined;
  if (Array.isArray(value)) return firstFound(value, (item, i) => findValue(item, sought, path.index(i)));
  if (!isJsonObject(value)) return undefined;
  return firstFound(Object.entries(value), ([key, item]) => findValue(item, sought, path.child(key)));
}

function firstFound<T, R>(
  items: readonly T[],
  find: (item: T, index: number) => R | undefined,
): R | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
