import { type JsonObject, type JsonValue, setOwnProperty } from '@binnacle/api-objects';
import { pathText } from '@binnacle/api-types';
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

/** What JSON has for a document, and what it hides. */
interface PlainValue {
  readonly value: JsonValue;
  /** Members of objects and elements of lists. */
  readonly values: number;
  /** One message a key that occurs twice in its map. */
  readonly duplicates: readonly string[];
}

/** How many times a node may be repeated through its anchor, repetitions of what holds the alias included. */
const aliasLimit = 100;
const mostReported = 1000;
const valuesPerStep = 256;

/**
 * Makes a JSON value of the nodes of a document; what is aliased is copied. Yields between steps of bounded size. Refuses
 * what JSON cannot say, collections as keys, aliases of nothing and of what they stand in, nesting and repetition beyond
 * the limits; throws RequestEntityTooLarge beyond `bodyValueLimit`, with what aliases repeat.
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
  const value = yield* copyOf(node, copying);
  return { value, values: copying.values, duplicates: copying.duplicates };
}

/** Where a copy is, and what it has met. */
interface Copying {
  readonly lines: LineCounter;
  values: number;
  readonly path: (string | number)[];
  readonly duplicates: string[];
  /** The latest node of each anchor. */
  readonly anchors: Map<string, object>;
  /** What each alias stands for, found where it stands first. */
  readonly aliased: Map<Alias, object>;
  readonly repetitions: Map<object, number>;
  /** The collections that the copy is in. */
  readonly open: Set<object>;
  /** Whether the copy is in what an alias stands for. */
  isRepeating: boolean;
}

type Copy<Value> = Generator<void, Value>;

function* copyOf(node: unknown, copying: Copying): Copy<JsonValue> {
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
  open.add(node);
  const copy = isMap(node) ? yield* mapCopy(node, copying) : yield* listCopy(node.items, copying);
  open.delete(node);
  return copy;
}

function* mapCopy(map: YAMLMap, copying: Copying): Copy<JsonObject> {
  const { path } = copying;
  const depth = path.length;
  const copy: JsonObject = {};
  const keys = map.items.map(({ key }) => keyText(key, copying));
  if (!copying.isRepeating) noteDuplicates(map, keys, copying);
  for (const [position, key] of keys.entries()) {
    path[depth] = key;
    setOwnProperty(copy, key, yield* copyOf(map.items[position]!.value, copying));
  }
  path.length = depth;
  return copy;
}

function* listCopy(items: readonly unknown[], copying: Copying): Copy<JsonValue[]> {
  const { path } = copying;
  const depth = path.length;
  const copy: JsonValue[] = [];
  for (const [position, item] of items.entries()) {
    path[depth] = position;
    copy.push(yield* copyOf(item, copying));
  }
  path.length = depth;
  return copy;
}

function* aliasCopy(alias: Alias, copying: Copying): Copy<JsonValue> {
  const node = resolved(alias, copying);
  const repetitions = (copying.repetitions.get(node) ?? 0) + 1;
  copying.repetitions.set(node, repetitions);
  if (repetitions > aliasLimit)
    throw new Error('Excessive alias count indicates a resource exhaustion attack');
  const { isRepeating } = copying;
  copying.isRepeating = true;
  const copy = yield* copyOf(node, copying);
  copying.isRepeating = isRepeating;
  return copy;
}

function resolved(alias: Alias, copying: Copying): object {
  const node = copying.aliased.get(alias) ?? copying.anchors.get(alias.source);
  if (node === undefined)
    throw new Error(
      `Unresolved alias (the anchor must be set before the alias): ${alias.source.slice(0, 64)}`,
    );
  if (copying.open.has(node))
    throw new Error(`the alias ${alias.source.slice(0, 64)} stands in what it repeats`);
  copying.aliased.set(alias, node);
  return node;
}

/** The anchors of what is repeated were met before. */
function noteAnchor(node: { anchor?: string }, { anchors, isRepeating }: Copying): void {
  if (node.anchor !== undefined && !isRepeating) anchors.set(node.anchor, node);
}

function scalarValue({ value }: Scalar, { path }: Copying): JsonValue {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new Error(`${pathText(path)} has no form in JSON`);
}

function keyText(key: unknown, copying: Copying): string {
  const scalar = isAlias(key) ? resolved(key, copying) : key;
  if (scalar === null) return '';
  if (!isScalar(scalar)) throw new Error(`${placeOf(key, copying)}: only scalars can be keys`);
  noteAnchor(scalar, copying);
  return scalar.value === null ? '' : String(scalar.value);
}

function placeOf(node: unknown, { lines, path }: Copying): string {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
  return Array.isArray(range) ? `line ${lines.linePos(Number(range[0])).line}` : pathText(path);
}

function noteDuplicates(map: YAMLMap, keys: readonly string[], { duplicates, lines }: Copying): void {
  const seen = new Set<string>();
  for (const [position, name] of keys.entries()) {
    const { key } = map.items[position]!;
    if (seen.has(name) && duplicates.length < mostReported && isScalar(key))
      duplicates.push(
        `line ${lines.linePos(key.range?.[0] ?? 0).line}: key ${JSON.stringify(name)} already set in map`,
      );
    seen.add(name);
  }
}
