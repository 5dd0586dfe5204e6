import { isDeepStrictEqual } from 'node:util';
import type { ResourceDefinition } from '@binnacle/api-types';
import type { Answer, ConformanceServer } from '../conformance/drivers/conformance-server.ts';
import {
  isObjectValue,
  memberAt,
  type ObjectValue,
  parseExact,
  stringifyExact,
  type Value,
} from './exact-json.ts';

/** The media types that objects and patches are sent and read in. */
export const mediaTypes = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.cluster.protobuf',
  mergePatch: 'application/merge-patch+json',
  jsonPatch: 'application/json-patch+json',
  strategicPatch: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** Objects of one kind on their way through a server. */
export interface Travellers {
  readonly server: ConformanceServer;
  readonly kind: string;
  /** Undefined for kinds that a schema describes, which have no form in protobuf. */
  readonly builtIn: ResourceDefinition | undefined;
  /** The collection that objects are created in. */
  readonly collection: string;
  readonly serverOwned: ReadonlySet<string>;
  /** Paths whose values only a creation decides on. */
  readonly keptOnUpdate: ReadonlySet<string>;
}

/** A way that lost something: which one, and what. */
class RoundTripFailure extends Error {}

/** Throws with the first place where two values differ. */
export function assertSame(
  { kind }: Travellers,
  way: string,
  expected: Value,
  found: Value | undefined,
): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new RoundTripFailure(
    `${kind}: ${way}: ${firstDifference(expected, found, '') ?? 'nothing to be seen'}`,
  );
}

function firstDifference(one: Value | undefined, other: Value | undefined, path: string): string | undefined {
  if (isDeepStrictEqual(one, other)) return undefined;
  const keys =
    Array.isArray(one) && Array.isArray(other)
      ? [...Array(Math.max(one.length, other.length)).keys()]
      : isObjectValue(one) && isObjectValue(other)
        ? [...new Set([...Object.keys(one), ...Object.keys(other)])]
        : [];
  for (const key of keys) {
    const found = firstDifference(memberAt(one, [key]), memberAt(other, [key]), `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return `${path}: ${shown(one)} became ${shown(other)}`;
}

/** A value with its type. */
export function shown(value: Value | undefined): string {
  return value === undefined ? 'nothing' : `${typeof value} ${stringifyExact(value)}`;
}

/** The failure of a way: the kind, the way and what went wrong. */
export function failure({ kind }: Travellers, way: string, text: string): RoundTripFailure {
  return new RoundTripFailure(`${kind}: ${way}: ${text}`);
}

/** The object of an answer. */
export function objectIn({ text }: Answer): ObjectValue {
  return parseExact(text) as ObjectValue; // an accepted write and a read are answered with an object
}

/** The name of an object. */
export function nameFromObject(object: ObjectValue): string {
  return String(memberAt(object, ['metadata', 'name']));
}
