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

/** The step at one field, found out once a message. */
interface DefaultStep {
  readonly name: string;
  readonly value?: JsonValue;
  /** Zero counts as unset: the field has no presence of its own. */
  readonly zeroIsUnset: boolean;
  /** The plan of the message at or below the field. */
  readonly child?: DefaultPlan;
  /** The field holds amounts of resources. */
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
 * Drops empty fields that mean the same as absent ones, then fills in what the client left unset: the defaults of
 * `proto/api`, only inside parents that exist, and the empty value of each field that JSON output always carries;
 * amounts of resources are rounded up to thousandths; then the defaults of the kind's rules. Idempotent; changes `object`.
 *
 * Throws DefaultsTooLarge when the defaults of a custom definition make the object larger than objects may be. An update of an
 * object (`old`) that is stored without them for that reason leaves them out too, as long as it changes metadata and status alone.
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

/** The part of `applyDefaults` that needs no rules: for kinds that are the body of a subresource. */
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

/** Amounts of resources are counted in thousandths. */
function roundAmounts(amounts: JsonObject): void {
  for (const [name, amount] of Object.entries(amounts)) {
    // Only these aliases can stand for less than a thousandth.
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
  // Known before its fields are: messages may contain themselves.
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
  // An empty plan may be one that is still being made, of a message that contains this one.
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

/** Maps of quantities are amounts of resources; those of a RuntimeClass are rounded where pods come to have them. */
function isAmounts(type: FieldType, parent: MessageType): boolean {
  const isMap = type.kind === 'map' && type.value.kind === 'scalar' && type.value.scalar === 'quantity';
  return isMap && parent.fullName.startsWith('core.');
}

/** The value in JSON output of an always present field that was not set; times, lists and maps have null. Undefined: none. */
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
