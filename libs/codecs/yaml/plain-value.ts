import {
  type JsonObject,
  type JsonValue,
  numberFromDouble,
  numberFromText,
  pathText,
  setOwnProperty,
} from '@binnacle/api-objects';
import { tooManyValues } from '@binnacle/status-errors';
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { depthLimit } from '../json/json-scan.ts';
import { bodyValueLimit } from '../json/value-limits.ts';
import { plainScalar, type ScalarValue, scalarKey, taggedScalar } from './scalar-values.ts';

/** The JSON value of a document, with findings that the value does not show. */
interface PlainValue {
  readonly value: JsonValue;
  /** Number of members of objects and elements of lists. */
  readonly values: number;
  /** One message for each duplicate key of a map, merged members included. */
  readonly duplicates: readonly string[];
}

/** Maximum number of repetitions of a node through aliases, including those of nodes that contain the alias. */
const aliasLimit = 100;
const mostReported = 1000;
const valuesPerStep = 256;
const mergeTag = 'tag:yaml.org,2002:merge';

/**
 * Converts the nodes of a document to a JSON value; aliased nodes are copied. Yields between steps of bounded size. Throws an
 * Error for values that JSON cannot represent, collections as keys, aliases that are unresolved or refer to a containing node,
 * and nesting or repetition beyond the limits; throws RequestEntityTooLarge beyond `bodyValueLimit`, repeated values included.
 */
export function* plainValue(node: unknown, lines: LineCounter): Generator<void, PlainValue> {
  const copying: Copying = {
    lines,
    values: 0,
    path: [],
    duplicates: [],
    anchors: new Map(),
    aliased: new Map(),
    repetitions: new Map(),
    open: new Set(),
    isRepeating: false,
  };
  const value = yield* copyNode(node, copying);
  return { value, values: copying.values, duplicates: copying.duplicates };
}

/** State of a copy. */
interface Copying {
  readonly lines: LineCounter;
  values: number;
  readonly path: (string | number)[];
  readonly duplicates: string[];
  /** The latest node of each anchor. */
  readonly anchors: Map<string, object>;
  /** The node of each alias, resolved at its first occurrence. */
  readonly aliased: Map<Alias, object>;
  readonly repetitions: Map<object, number>;
  /** The collections that contain the current node. */
  readonly open: Set<object>;
  /** Whether the current node is a repetition through an alias. */
  isRepeating: boolean;
}

type Copy<Value> = Generator<void, Value>;

function* copyNode(node: unknown, copying: Copying): Copy<JsonValue> {
  if (++copying.values > bodyValueLimit) throw tooManyValues('the body', bodyValueLimit);
  if (copying.values % valuesPerStep === 0) yield;
  if (isScalar(node)) {
    noteAnchor(node, copying);
    return scalarValue(node, copying);
  }
  if (isAlias(node)) return yield* aliasCopy(node, copying);
  if (!isMap(node) && !isSeq(node)) return null;
  const { path, open } = copying;
  if (path.length >= depthLimit)
    throw new Error(`the text nests deeper than ${depthLimit} levels at ${pathText(path.slice(0, 16))}...`);
  noteAnchor(node, copying);
  if (isMap(node)) return yield* mapCopy(node, copying);
  open.add(node);
  const copy = yield* listCopy(node.items, copying);
  open.delete(node);
  return copy;
}

function* mapCopy(map: YAMLMap, copying: Copying): Copy<JsonObject> {
  const copy: JsonObject = {};
  yield* copyMembers(map, copy, copying);
  return copy;
}

/**
 * Copies the members of a map into an object that may have members. A merge key copies members of other maps at its position:
 * later members override earlier ones.
 */
function* copyMembers(map: YAMLMap, target: JsonObject, copying: Copying): Copy<void> {
  const { path, open } = copying;
  const depth = path.length;
  open.add(map);
  for (const { key, value } of map.items) {
    if (isMergeKey(key)) {
      path.length = depth;
      yield* mergeInto(target, value, copying);
      continue;
    }
    const scalar = keyScalar(key, copying);
    const name = scalarKey(scalar);
    path[depth] = name;
    const copy = yield* copyNode(value, copying);
    if (Object.hasOwn(target, name)) {
      const shown = scalar.type === 'str' ? JSON.stringify(name) : name;
      noteDuplicate(shown, findLine(value, copying.lines) ?? findLine(key, copying.lines), copying);
    }
    setOwnProperty(target, name, copy);
  }
  path.length = depth;
  open.delete(map);
}

function isMergeKey(key: unknown): boolean {
  if (!isScalar(key) || key.value !== '<<') return false;
  return key.tag === undefined ? key.type === 'PLAIN' : key.tag === mergeTag || key.tag === '!';
}

/** Copies the members of a map, an alias of a map, or a list of these; earlier entries of the list take precedence. */
function* mergeInto(target: JsonObject, value: unknown, copying: Copying): Copy<void> {
  if (!isSeq(value)) return yield* mergeMap(target, value, copying);
  for (const item of value.items.toReversed()) yield* mergeMap(target, item, copying);
}

function* mergeMap(target: JsonObject, value: unknown, copying: Copying): Copy<void> {
  if (++copying.values > bodyValueLimit) throw tooManyValues('the body', bodyValueLimit);
  const node = isAlias(value) ? resolved(value, copying) : value;
  if (!isMap(node)) throw new Error(`${describePlace(value, copying)}: what << merges must be a map or maps`);
  if (isAlias(value)) return yield* repeated(node, copying, () => copyMembers(node, target, copying));
  noteAnchor(node, copying);
  yield* copyMembers(node, target, copying);
}

function* listCopy(items: readonly unknown[], copying: Copying): Copy<JsonValue[]> {
  const { path } = copying;
  const depth = path.length;
  const copy: JsonValue[] = [];
  for (const [position, item] of items.entries()) {
    path[depth] = position;
    copy.push(yield* copyNode(item, copying));
  }
  path.length = depth;
  return copy;
}

function* aliasCopy(alias: Alias, copying: Copying): Copy<JsonValue> {
  const node = resolved(alias, copying);
  return yield* repeated(node, copying, () => copyNode(node, copying));
}

/** Copies a node once more through an alias. */
function* repeated<Value>(node: object, copying: Copying, copy: () => Copy<Value>): Copy<Value> {
  const repetitions = (copying.repetitions.get(node) ?? 0) + 1;
  copying.repetitions.set(node, repetitions);
  if (repetitions > aliasLimit)
    throw new Error('Excessive alias count indicates a resource exhaustion attack');
  const { isRepeating } = copying;
  copying.isRepeating = true;
  const value = yield* copy();
  copying.isRepeating = isRepeating;
  return value;
}

function resolved(alias: Alias, copying: Copying): object {
  const node = copying.aliased.get(alias) ?? copying.anchors.get(alias.source);
  if (node === undefined)
    throw new Error(
      `Unresolved alias (the anchor must be set before the alias): ${alias.source.slice(0, 64)}`,
    );
  if (copying.open.has(node))
    throw new Error(`the alias ${alias.source.slice(0, 64)} refers to a node that contains it`);
  copying.aliased.set(alias, node);
  return node;
}

/** Anchors within a repeated node are already known. */
function noteAnchor(node: { anchor?: string }, { anchors, isRepeating }: Copying): void {
  if (node.anchor !== undefined && !isRepeating) anchors.set(node.anchor, node);
}

function scalarValue(scalar: Scalar, { path }: Copying): JsonValue {
  const resolved = resolvedScalar(scalar);
  switch (resolved.type) {
    case 'null':
      return null;
    case 'int':
      return numberFromText(resolved.digits);
    case 'float':
      if (Number.isFinite(resolved.value)) return numberFromDouble(resolved.value);
      throw new Error(`${pathText(path)} cannot be represented in JSON`);
    default:
      return resolved.value;
  }
}

function resolvedScalar({ type, tag, value }: Scalar): ScalarValue {
  const text = String(value ?? '');
  if (tag !== undefined) return taggedScalar(tag, text);
  return type === undefined || type === 'PLAIN' ? plainScalar(text) : { type: 'str', value: text };
}

function keyScalar(key: unknown, copying: Copying): ScalarValue {
  const scalar = isAlias(key) ? resolved(key, copying) : key;
  if (!isScalar(scalar)) throw new Error(`${describePlace(key, copying)}: only scalars can be keys`);
  if (!isAlias(key)) noteAnchor(scalar, copying);
  return resolvedScalar(scalar);
}

function describePlace(node: unknown, { lines, path }: Copying): string {
  const line = findLine(node, lines);
  return line === undefined ? pathText(path) : `line ${line}`;
}

/** Returns the line in which a node begins; undefined for collections composed in parts. */
function findLine(node: unknown, lines: LineCounter): number | undefined {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
  return Array.isArray(range) ? lines.linePos(Number(range[0])).line : undefined;
}

function noteDuplicate(key: string, line: number | undefined, { duplicates }: Copying): void {
  if (duplicates.length < mostReported) duplicates.push(`line ${line ?? 0}: key ${key} already set in map`);
}
