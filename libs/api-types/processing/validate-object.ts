import {
  type ApiObject,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonObject,
  type JsonValue,
  notSupportedField,
  requiredField,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@binnacle/api-objects';
import type { FieldDefinition, FieldType, MessageType } from '../definitions/message-type.ts';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import { asList, asObject } from '../values/json-access.ts';
import type { UpdateFrom } from './prepare.ts';

/** The validation of one field, computed once for each message. */
interface CheckStep {
  readonly field: FieldDefinition;
  readonly enumValues?: readonly string[];
  readonly child?: CheckPlan;
}

type CheckPlan = CheckStep[];

const plans = new WeakMap<MessageType, CheckPlan>();
const specificationPlans = new WeakMap<MessageType, CheckPlan>();

/** Maximum number of errors reported for one object; after their correction the next request reports more. */
const mostFindings = 1000;

/** Root fields without generic validation: metadata is validated separately, the system sets the status. */
const uncheckedRoots = new Set(['metadata', 'status']);

/**
 * Validates a new object: metadata, required fields, closed sets of values, then the kind's rules. The metadata of an operation
 * is not stored and not validated. Expects a type-checked object (codecs) with defaults; empty if valid, at most 1,000 errors.
 */
export function validateObject(definition: ResourceDefinition, object: ApiObject): FieldError[] {
  const { namespaced, rules, stored } = definition;
  const metadataErrors = stored
    ? validateObjectMeta(object.metadata, {
        namespaced,
        nameRule: rules.nameRule,
        qualifiedFinalizers: rules.anyFinalizers !== true,
      })
    : [];
  return [
    ...metadataErrors,
    ...validateSpecification(definition, object),
    ...(rules.validateCreate?.(object) ?? []),
  ].slice(0, mostFindings);
}

/**
 * Validates an update completely: allowed changes of metadata, immutable fields, everything that `validateObject` validates
 * except the name, then the kind's rules for updates. For subresources that are not in the kind's `specificationSubresources`
 * only metadata and the kind's rules for updates are validated. Returns at most 1,000 errors.
 */
export function validateObjectUpdate(
  definition: ResourceDefinition,
  object: ApiObject,
  ...from: UpdateFrom
): FieldError[] {
  const [old, subresource = ''] = from;
  const { rules } = definition;
  // A single list for all errors, since nearly all updates have none.
  const errors = validateObjectMetaUpdate(object.metadata, old.metadata, {
    requireResourceVersion: rules.unconditionalUpdate === false,
    qualifiedFinalizers: rules.anyFinalizers !== true,
  });
  if (subresource === '') addErrors(errors, immutableErrors(definition.message, object, old));
  if (subresource === '' || rules.specificationSubresources?.includes(subresource) === true)
    addErrors(errors, validateSpecification(definition, object));
  addErrors(errors, rules.validateUpdate?.(object, old, subresource) ?? noErrors);
  return errors.length > mostFindings ? errors.slice(0, mostFindings) : errors;
}

const noErrors: readonly FieldError[] = [];

/** Adds errors to a list, up to the maximum. */
function addErrors(list: FieldError[], errors: readonly FieldError[]): void {
  for (let at = 0; at < errors.length && list.length < mostFindings; at++) list.push(errors[at]!);
}

function validateSpecification(definition: ResourceDefinition, object: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  checkMessage(specificationPlan(definition.message), object, { path: fieldPath(), errors });
  const { uncheckedFields = [], validate } = definition.rules;
  const counted =
    errors.length === 0
      ? errors
      : errors.filter(({ field }) => !uncheckedFields.some(path => isBelow(field, path)));
  const ofKind = validate?.(object) ?? noErrors;
  return ofKind.length === 0 ? counted : [...counted, ...ofKind];
}

/** Returns the validation of the fields that clients set. */
function specificationPlan(message: MessageType): CheckPlan {
  let plan = specificationPlans.get(message);
  if (plan === undefined) {
    plan = getPlan(message).filter(step => !uncheckedRoots.has(step.field.name));
    specificationPlans.set(message, plan);
  }
  return plan;
}

function isBelow(field: string, path: string): boolean {
  return field.startsWith(path) && /^[.[]/.test(field.slice(path.length));
}

interface Findings {
  readonly path: FieldPath;
  readonly errors: FieldError[];
}

function checkMessage(plan: CheckPlan, object: JsonObject, { path, errors }: Findings): void {
  for (const { field, enumValues, child } of plan) {
    const value = object[field.name];
    if (value === undefined && !field.mustBeSet) continue;
    const here = { path: path.child(field.name), errors };
    if (field.mustBeSet && isEmpty(value)) errors.push(requiredField(here.path));
    else if (enumValues) checkEnum(enumValues, value, here);
    if (child && value !== undefined) checkBelow(field.type, child, value, here);
  }
}

function checkEnum(
  allowed: readonly string[],
  value: JsonValue | undefined,
  { path, errors }: Findings,
): void {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries())
      checkEnum(allowed, element, { path: path.index(index), errors });
  } else if (typeof value === 'string' && value !== '' && !allowed.includes(value)) {
    errors.push(notSupportedField(path, value, allowed.toSorted()));
  }
}

function checkBelow(type: FieldType, child: CheckPlan, value: JsonValue, at: Findings): void {
  if (type.kind === 'list') {
    for (const [index, element] of asList(value).entries())
      checkBelow(type.element, child, element, { ...at, path: at.path.index(index) });
  } else if (type.kind === 'map') {
    for (const [key, element] of Object.entries(asObject(value) ?? {}))
      checkBelow(type.value, child, element, { ...at, path: at.path.key(key) });
  } else {
    const object = asObject(value);
    if (object) checkMessage(child, object, at);
  }
}

function immutableErrors(message: MessageType, object: ApiObject, old: ApiObject): FieldError[] {
  const found: FieldError[] = [];
  for (const field of message.fields.values()) {
    if (field.immutable && !equalJson(object[field.name], old[field.name]))
      found.push(invalidField(field.name, object[field.name] ?? null, 'field is immutable'));
  }
  return found;
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return true;
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function getPlan(message: MessageType): CheckPlan {
  const known = plans.get(message);
  if (known) return known;
  const plan: CheckPlan = [];
  // Registered before its fields are processed: messages can be recursive.
  plans.set(message, plan);
  for (const field of message.fields.values()) {
    const below = messageBelow(field.type);
    const found = below && getPlan(below);
    const child = found && (found.length > 0 || below === message) ? found : undefined;
    const enumValues = field.enumCheckedByRules ? undefined : field.enumValues;
    if (field.mustBeSet || enumValues || child)
      plan.push({ field, ...(enumValues && { enumValues }), ...(child && { child }) });
  }
  return plan;
}

function messageBelow(type: FieldType): MessageType | undefined {
  if (type.kind === 'message') return type.message;
  if (type.kind === 'list') return messageBelow(type.element);
  return type.kind === 'map' ? messageBelow(type.value) : undefined;
}
