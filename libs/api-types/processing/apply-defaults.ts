import {
  type ApiObject,
  completionFault,
  copyJson,
  formatQuantity,
  type JsonObject,
  type JsonValue,
  roundUpQuantity,
  storedQuantity,
  tryParseQuantity,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { FieldDefinition, FieldType, MessageType, ScalarType } from '../definitions/message-type.ts';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import { asList, asObject } from '../values/json-access.ts';
import { changedRoots, isStatusAlone } from './changed-roots.ts';
import { omitEmptyFields } from './omit-empty.ts';

/** The default of one field, computed once for each message. */
interface DefaultStep {
  readonly name: string;
  readonly value?: JsonValue;
  /** Whether zero counts as unset, because the field has no presence. */
  readonly zeroIsUnset: boolean;
  /** The defaults of the message of the field. */
  readonly child?: DefaultPlan;
  /** Whether the field contains amounts of resources. */
  readonly amounts: boolean;
  readonly shape: FieldType['kind'];
}

type DefaultPlan = DefaultStep[];

const emptyScalars: Readonly<Record<ScalarType, JsonValue>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
  bytes: null,
  time: null,
  microTime: null,
  duration: '0s',
  quantity: '0',
  intOrString: 0,
  json: null,
};

const plans = new WeakMap<MessageType, DefaultPlan>();

/**
 * Removes empty fields that equal absent ones, then sets defaults: those of `proto/api`, only within existing parents, and the
 * empty value of each field that JSON output always contains; rounds amounts of resources up to thousandths; then runs the
 * defaults of the kind's rules. Idempotent; modifies `object`.
 *
 * Throws DefaultsTooLarge if the defaults of a custom resource definition make the object too large. An update of an object
 * (`old`) that is stored without its defaults for this reason omits them too, if it only changes metadata and status.
 */
export function applyDefaults(definition: ResourceDefinition, object: ApiObject, old?: ApiObject): void {
  const { message, rules } = definition;
  applyFieldDefaults(message, object);
  if (rules.applyDefaults === undefined) return;
  if (old === undefined || message.structure === undefined) rules.applyDefaults(object);
  else applyDefaultsOfSchema(rules, object, old);
}

function applyDefaultsOfSchema(rules: KindRules, object: ApiObject, old: ApiObject): void {
  const fault = completionFault(() => rules.applyDefaults?.(object));
  if (fault === undefined) return;
  const changed = changedRoots(object, old);
  const isIncomplete = completionFault(() => rules.applyDefaults?.(copyJson(old))) !== undefined;
  if (!isIncomplete || !(changed.size === 0 || isStatusAlone(changed))) throw fault;
}

/** Applies the field defaults without rules, for kinds that are the body of a subresource. */
export function applyFieldDefaults(message: MessageType, object: ApiObject): void {
  omitEmptyFields(message, object);
  applyPlan(getPlan(message), object);
}

function applyPlan(plan: DefaultPlan, object: JsonObject): void {
  for (const step of plan) {
    if (step.value !== undefined && isUnset(object[step.name], step.zeroIsUnset))
      object[step.name] = copyJson(step.value);
    if (step.amounts) roundAmounts(asObject(object[step.name]) ?? {});
    if (step.child) applyBelow(step, step.child, object[step.name]);
  }
}

/** Rounds amounts of resources up to thousandths. */
function roundAmounts(amounts: JsonObject): void {
  for (const [name, amount] of Object.entries(amounts)) {
    // Only these suffixes can represent less than a thousandth.
    if (typeof amount !== 'string' || !/[nu.eE]/.test(amount)) continue;
    const quantity = tryParseQuantity(amount);
    if (quantity === undefined) continue;
    const rounded = roundUpQuantity(quantity, -3);
    const isExact = rounded.nanos === quantity.nanos;
    amounts[name] = (isExact ? storedQuantity(amount) : undefined) ?? formatQuantity(rounded);
  }
}

function applyBelow(step: DefaultStep, child: DefaultPlan, value: JsonValue | undefined): void {
  if (step.shape === 'list') {
    for (const element of asList(value)) applyToElement(child, element);
  } else if (step.shape === 'map') {
    for (const element of Object.values(asObject(value) ?? {})) applyToElement(child, element);
  } else {
    applyToElement(child, value);
  }
}

function applyToElement(plan: DefaultPlan, value: JsonValue | undefined): void {
  const object = asObject(value);
  if (object) applyPlan(plan, object);
}

function isUnset(value: JsonValue | undefined, zeroIsUnset: boolean): boolean {
  if (value === undefined || value === null) return true;
  return zeroIsUnset && (value === '' || value === 0 || value === false);
}

function getPlan(message: MessageType): DefaultPlan {
  const known = plans.get(message);
  if (known) return known;
  const plan: DefaultPlan = [];
  // Registered before its fields are processed: messages can be recursive.
  plans.set(message, plan);
  for (const field of message.fields.values()) {
    const step = createStep(field, message);
    if (step) plan.push(step);
  }
  return plan;
}

function createStep(field: FieldDefinition, parent: MessageType): DefaultStep | undefined {
  if (parent.typeMeta && field.name === 'metadata') return undefined;
  const message = messageBelow(field.type);
  const plan = message && getPlan(message);
  // An empty plan may be incomplete, of a message that contains this one.
  const child = plan && (plan.length > 0 || message === parent) ? plan : undefined;
  const value = field.default ?? createEmptyValue(field);
  const amounts = isAmounts(field.type, parent);
  if (value === undefined && !child && !amounts) return undefined;
  return {
    name: field.name,
    zeroIsUnset: !field.pointer,
    shape: field.type.kind,
    amounts,
    ...(value !== undefined && { value }),
    ...(child && { child }),
  };
}

/**
 * Whether a field contains amounts of resources, which are maps of quantities; those of a RuntimeClass are rounded in the pods
 * that get them.
 */
function isAmounts(type: FieldType, parent: MessageType): boolean {
  const isMap = type.kind === 'map' && type.value.kind === 'scalar' && type.value.scalar === 'quantity';
  return isMap && parent.fullName.startsWith('core.');
}

/**
 * Returns the value of an unset field that is always present in JSON output; null for times, lists and maps. Undefined for other
 * fields.
 */
export function createEmptyValue({ type, alwaysPresent, pointer }: FieldDefinition): JsonValue | undefined {
  if (!alwaysPresent || pointer) return undefined;
  if (type.kind === 'message') return {};
  return type.kind === 'scalar' ? emptyScalars[type.scalar] : null;
}

function messageBelow(type: FieldType): MessageType | undefined {
  if (type.kind === 'message') return type.message;
  if (type.kind === 'list') return messageBelow(type.element);
  return type.kind === 'map' ? messageBelow(type.value) : undefined;
}
