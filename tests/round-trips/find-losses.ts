import { alternativeFor, type FieldType, type MessageType } from '@binnacle/api-types';
import { isObjectValue, type ObjectValue, type Value } from './exact-json.ts';

/** A field of an object that came back as something else. */
interface Loss {
  readonly path: string;
  readonly sent: Value;
  readonly found: Value | undefined;
}

/**
 * The fields of an object that an answer lacks or has with another value. What the server adds is no loss, nor that an
 * empty value of a field without presence is left out. `serverOwned` are paths, without list positions, whose values the server decides on;
 * one that begins with `*` is the end of such paths.
 * Without a message the object is one that a schema describes: there an empty value is one like any other.
 */
export function findLosses(
  message: MessageType | undefined,
  sent: ObjectValue,
  { answer, serverOwned }: { readonly answer: ObjectValue; readonly serverOwned: ReadonlySet<string> },
): Loss[] {
  const losses: Loss[] = [];
  const endings = [...serverOwned].filter(path => path.startsWith('*')).map(path => path.slice(1));
  const isServerOwned = (place: string): boolean =>
    serverOwned.has(place) || endings.some(ending => place.endsWith(ending));
  const start = { path: '', place: '' };
  if (message === undefined) compare(undefined, sent, answer, start);
  else compareMessage(message, sent, answer, start);
  return losses;

  function compareMessage(type: MessageType, from: ObjectValue, to: Value | undefined, at: At): void {
    for (const [name, value] of Object.entries(from)) {
      const field = type.fields.get(name);
      // apiVersion and kind, and what a schema describes, have no definition of a field.
      const below = { path: `${at.path}.${name}`, place: at.place === '' ? name : `${at.place}.${name}` };
      if (isServerOwned(below.place)) continue;
      const found = isObjectValue(to) && Object.hasOwn(to, name) ? to[name] : undefined;
      // A null is none, and so is an empty value where the field is no pointer; there may be a default for it.
      if (value === null || (field?.pointer === false && isNothing(field.type, value))) continue;
      compare(field?.type, value, found, below);
    }
  }

  function compare(type: FieldType | undefined, from: Value, to: Value | undefined, at: At): void {
    const alternative =
      type?.kind === 'scalar' && type.alternatives !== undefined
        ? alternativeFor(type.alternatives, from)
        : undefined;
    if (alternative !== undefined) compare(alternative.type, from, to, at);
    else if (type?.kind === 'message' && isObjectValue(from) && isObjectValue(to))
      compareMessage(type.message, from, to, at);
    else if (Array.isArray(from) && type?.kind === 'list' && type.listType === 'set')
      compareSets(from, to, at);
    else if (Array.isArray(from) && Array.isArray(to) && (type === undefined || type.kind === 'list'))
      for (const [index, element] of from.entries())
        compare(type?.element, element, to[index], { ...at, path: `${at.path}[${index}]` });
    else if (isObjectValue(from) && isObjectValue(to) && (type === undefined || type.kind === 'map'))
      for (const [key, value] of Object.entries(from)) {
        // Paths of the server are known at the root alone where there is no message.
        if (at.path === '' && serverOwned.has(key)) continue;
        const found = Object.hasOwn(to, key) ? to[key] : undefined;
        compare(type?.value, value, found, { ...at, path: `${at.path}[${key}]` });
      }
    else if (!sameValue(from, to)) losses.push({ path: at.path.replace(/^\./, ''), sent: from, found: to });
  }

  /** An apply puts the elements of a set behind those that are there. */
  function compareSets(from: readonly Value[], to: Value | undefined, at: At): void {
    const found = Array.isArray(to)
      ? to.filter(element => from.some(other => sameValue(other, element)))
      : to;
    if (!sameValue([...from], found))
      losses.push({ path: at.path.replace(/^\./, ''), sent: [...from], found: to });
  }
}

interface At {
  readonly path: string;
  /** The path without positions and keys. */
  readonly place: string;
}

/** Whether two values are equal, whatever the order of members. A double may be written as a whole number. */
function sameValue(one: Value, other: Value | undefined): boolean {
  if (Array.isArray(one))
    return (
      Array.isArray(other) && one.length === other.length && one.every((item, i) => sameValue(item, other[i]))
    );
  if (isObjectValue(one))
    return (
      isObjectValue(other) &&
      Object.keys(one).length === Object.keys(other).length &&
      Object.entries(one).every(([key, value]) => Object.hasOwn(other, key) && sameValue(value, other[key]))
    );
  if (typeof one === 'number' && typeof other === 'bigint') return BigInt(one) === other;
  return one === other;
}

/** Whether a value says no more than an absent one: the zero of its type, or a message with nothing in it. */
function isNothing(type: FieldType, value: Value): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (!isObjectValue(value)) return value === null || value === '' || value === 0 || value === false;
  const fields = type.kind === 'message' ? type.message.fields : undefined;
  return Object.entries(value).every(([name, member]) => {
    const field = fields?.get(name);
    return member === null || (field?.pointer === false && isNothing(field.type, member));
  });
}
