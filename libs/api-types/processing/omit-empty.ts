import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import type { FieldDefinition, FieldType, MessageType } from '../definitions/message-type.ts';

/** The omission of one field, computed once for each message. */
interface OmissionStep {
  /** Whether an empty value equals an absent one. */
  readonly canBeOmitted: boolean;
  readonly shape: FieldType['kind'];
  readonly child?: OmissionPlan;
}

type OmissionPlan = Map<string, OmissionStep>;

const plans = new WeakMap<MessageType, OmissionPlan>();

/**
 * Removes fields with an empty value (zero, false, '', no elements) that have no presence, no special meaning when empty, and are
 * not always present in output: for clients and on the wire they equal absent fields. Modifies `object`.
 */
export function omitEmptyFields(message: MessageType, object: JsonObject): void {
  applyPlan(getPlan(message), object);
}

function applyPlan(plan: OmissionPlan, object: JsonObject): void {
  for (const name in object) {
    const step = plan.get(name);
    if (!step) continue;
    const value = object[name];
    if (step.canBeOmitted && isEmpty(value)) delete object[name];
    else if (step.child && value !== undefined) applyBelow(step.shape, step.child, value);
  }
}

function applyBelow(shape: FieldType['kind'], child: OmissionPlan, value: JsonValue): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const element of value) applyBelow('message', child, element);
  else if (shape === 'map') for (const element of Object.values(value)) applyBelow('message', child, element);
  else applyPlan(child, value);
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === '' || value === 0 || value === false || value === null) return true;
  if (typeof value !== 'object') return false;
  for (const _ in value) return false;
  return true;
}

function getPlan(message: MessageType): OmissionPlan {
  const known = plans.get(message);
  if (known) return known;
  const plan: OmissionPlan = new Map();
  // Registered before its fields are processed: messages can be recursive.
  plans.set(message, plan);
  for (const field of message.fields.values()) {
    const below = messageBelow(field.type);
    const canBeOmitted = isOmittable(field);
    if (below || canBeOmitted)
      plan.set(field.name, { canBeOmitted, shape: field.type.kind, ...(below && { child: getPlan(below) }) });
  }
  return plan;
}

/** Messages, and scalars that are messages on the wire, always have presence. */
function isOmittable({ type, pointer, alwaysPresent, keepsEmpty }: FieldDefinition): boolean {
  if (pointer || alwaysPresent || keepsEmpty || type.kind === 'message') return false;
  return type.kind !== 'scalar' || !['json', 'intOrString', 'quantity'].includes(type.scalar);
}

function messageBelow(type: FieldType): MessageType | undefined {
  switch (type.kind) {
    case 'message':
      return type.message;
    case 'list':
      return messageBelow(type.element);
    case 'map':
      return messageBelow(type.value);
    case 'scalar':
      // At most one of a value's alternatives is a message.
      return type.alternatives?.wireFields.map(field => messageBelow(field.type)).find(below => below);
  }
}
