import { isDeepStrictEqual } from 'node:util';
import type { FieldDefinition, FieldType, MessageType, ScalarType } from '@binnacle/api-types';
import { isObjectValue, memberAt, type ObjectValue, type Value } from './exact-json.ts';

type Step = string | number;

/** Changes an object, refusal after refusal, as little as makes it acceptable. */
interface Repairs {
  /** Changes the object at the fields that a refusal names; false when nothing is left to change. */
  mend(object: ObjectValue, fields: readonly string[]): boolean;
}

/** Beginnings of paths that refusals have for those of the object, as in kube-apiserver. */
const aliases: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)template\.(labels|annotations|finalizers)/, '$1template.metadata.$2'],
  [/^status\.Phase/, 'status.phase'],
  [/^spec\.validation/, 'spec.versions[0].schema'],
  [/^spec\.(subresources|additionalPrinterColumns)/, 'spec.versions[0].$1'],
];

/**
 * Repairs of one object. What a refusal names as missing is filled in once; what it names otherwise is put back to what the
 * base object has, or taken out. Where that is done already, one of the generated members around it goes, the nearest
 * first.
 */
export function createRepairs(message: MessageType | undefined, base: ObjectValue): Repairs {
  const filled = new Set<string>();

  function mendAt(object: ObjectValue, field: string): boolean {
    const steps = stepsTo(field);
    if (memberAt(object, steps) === undefined && !filled.has(field) && fill(object, steps)) {
      filled.add(field);
      return true;
    }
    if (putBack(object, steps)) return true;
    for (let length = steps.length - 1; length >= 0; length--) {
      const place = steps.slice(0, length);
      if (dropLastGenerated(memberAt(object, place), memberAt(base, place))) return true;
    }
    return false;
  }

  /** Sets a member that is missing where the type says what it can be and its parent is there. */
  function fill(object: ObjectValue, steps: readonly Step[]): boolean {
    const field = message && fieldAt(message, steps);
    const parent = memberAt(object, steps.slice(0, -1));
    const last = steps.at(-1);
    if (field === undefined || typeof last !== 'string' || !isObjectValue(parent)) return false;
    parent[last] = plainValue(field.type, field.enumValues?.[0]);
    return true;
  }

  function putBack(object: ObjectValue, steps: readonly Step[]): boolean {
    const original = memberAt(base, steps);
    const value = memberAt(object, steps);
    if (value === undefined || isDeepStrictEqual(value, original)) return false;
    setAt(object, steps, original === undefined ? undefined : structuredClone(original));
    return true;
  }

  return {
    mend(object, fields) {
      // Elements of lists go from the end, so that the positions before them stay.
      const places = new Set(fields.map(withoutAliases));
      return [...places]
        .sort(byPlaceFromTheEnd)
        .map(field => mendAt(object, field))
        .includes(true);
    },
  };
}

function withoutAliases(field: string): string {
  return aliases.reduce((path, [alias, place]) => path.replace(alias, place), field);
}

/** Takes out the last member within a value that the base object does not have; false where there is none. */
function dropLastGenerated(value: Value | undefined, original: Value | undefined): boolean {
  if (Array.isArray(value)) {
    const known = Array.isArray(original) ? original : [];
    if (value.length > known.length) return value.pop() !== undefined;
    return value.some((element, index) => dropLastGenerated(element, known[index]));
  }
  if (!isObjectValue(value)) return false;
  const known = isObjectValue(original) ? original : {};
  const generated = Object.keys(value).findLast(key => !Object.hasOwn(known, key));
  if (generated !== undefined) return Reflect.deleteProperty(value, generated);
  return Object.keys(value).some(key => dropLastGenerated(value[key], known[key]));
}

/** The steps of a path such as `spec.ports[0].name`, `data[a.b]`. */
function stepsTo(field: string): Step[] {
  return [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, inBrackets, name]) =>
    inBrackets === undefined ? (name ?? '') : /^\d+$/.test(inBrackets) ? Number(inBrackets) : inBrackets,
  );
}

/** The definition of the field at a path; undefined for what is no field of a message. */
function fieldAt(message: MessageType, steps: readonly Step[]): FieldDefinition | undefined {
  let within: FieldType = { kind: 'message', message };
  let field: FieldDefinition | undefined;
  for (const step of steps) {
    field = within.kind === 'message' ? within.message.fields.get(String(step)) : undefined;
    if (within.kind === 'message' && field === undefined) return undefined;
    if (within.kind === 'scalar') return undefined;
    within =
      field?.type ??
      (within.kind === 'list' ? within.element : within.kind === 'map' ? within.value : within);
  }
  return field;
}

const plainScalars: Readonly<Record<Exclude<ScalarType, 'string'>, Value>> = {
  bool: true,
  int32: 1,
  int64: 1,
  double: 1,
  bytes: 'AA==',
  time: '2024-02-29T12:00:00Z',
  microTime: '2024-02-29T12:00:00.000001Z',
  duration: '1s',
  quantity: '1',
  intOrString: 1,
  json: {},
};

/** A value of a type that most rules permit; `text` is that of a closed set of texts. */
function plainValue(type: FieldType, text: string = 'a'): Value {
  switch (type.kind) {
    case 'message':
      return {};
    case 'list':
      return [plainValue(type.element, text)];
    case 'map':
      return { a: plainValue(type.value, text) };
    case 'scalar':
      return type.scalar === 'string' ? text : plainScalars[type.scalar];
  }
}

function setAt(object: ObjectValue, path: readonly Step[], value: Value | undefined): void {
  const parent = memberAt(object, path.slice(0, -1));
  const last = path.at(-1) ?? '';
  if (Array.isArray(parent)) parent.splice(Number(last), 1, ...(value === undefined ? [] : [value]));
  else if (isObjectValue(parent) && value === undefined) Reflect.deleteProperty(parent, last);
  else if (isObjectValue(parent) && value !== undefined) parent[last] = value;
}

function byPlaceFromTheEnd(one: string, other: string): number {
  const [a, b] = [stepsTo(one), stepsTo(other)];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [left, right] = [a[i], b[i]];
    if (typeof left === 'number' && typeof right === 'number' && left !== right) return right - left;
  }
  return b.length - a.length;
}
