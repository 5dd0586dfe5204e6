import { Duration } from './duration.ts';
import { JsonMapValue, ObjectValue } from './map-value.ts';
import { Timestamp, timestampNanoseconds } from './timestamp.ts';
import { Uint } from './uint.ts';
import { ListValue, MapValue, type Value } from './value.ts';

/** Returns a text that identifies an element of a set: equal values have equal texts. */
export function setKey(value: Value): string {
  switch (typeof value) {
    case 'string':
      return `s${value}`;
    case 'bigint':
      return `n${value}`;
    case 'boolean':
      return String(value);
    case 'number':
      return Number.isInteger(value) ? `n${BigInt(value)}` : `n${value}`;
    default:
      return keyOfObject(value);
  }
}

/** Returns a text that identifies an item of a keyed list by its key members, which may be missing. */
export function mapListKey(item: Value, members: readonly string[]): string {
  const [only] = members;
  if (members.length === 1 && only !== undefined) return keyOfMember(item, only);
  return members
    .map(member => keyOfMember(item, member))
    .map(key => `${key.length}:${key}`)
    .join('');
}

function keyOfMember(item: Value, member: string): string {
  if (item instanceof ObjectValue || item instanceof JsonMapValue)
    return Object.hasOwn(item.raw, member) ? setKey(item.entry(member)) : '';
  return item instanceof MapValue ? setKey(item.get(member) ?? null) : setKey(item);
}

function keyOfObject(value: Value): string {
  if (value instanceof Uint) return `n${value.value}`;
  if (value instanceof Timestamp) return `t${timestampNanoseconds(value)}`;
  if (value instanceof Duration) return `d${value.nanoseconds}`;
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('latin1')}`;
  if (value instanceof ListValue)
    return `[${Array.from({ length: value.size }, (_, index) => quoted(value.get(index))).join()}]`;
  if (value instanceof MapValue) {
    const entries = value.keys().map(key => `${quoted(key)}:${quoted(value.entry(key))}`);
    return `{${entries.sort().join()}}`;
  }
  return String(value === null);
}

function quoted(value: Value): string {
  const key = setKey(value);
  return `${key.length}:${key}`;
}
