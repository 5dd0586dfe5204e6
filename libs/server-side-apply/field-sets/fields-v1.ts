import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { union } from './algebra.ts';
import { depthLimit } from './depth-limit.ts';
import { emptyFieldSet, type FieldSet, fieldSetNode, includedLeaf } from './field-set.ts';
import { type PathElement, parsePathElement, sortPathElements } from './path-element.ts';
import { UnreadableFieldSet } from './unreadable-field-set.ts';

/** Sets and values with more nodes are processed in steps of about this many, 1 to 2 ms each. */
const nodesPerStep = 1000;

/**
 * Decodes a field set from its FieldsV1 form; null is the empty set. Unknown kinds of path elements are dropped with all paths
 * below them. Throws UnreadableFieldSet if the value is not a field set or nests too deep.
 */
export function fieldSetFromJson(fieldsV1: JsonValue): FieldSet {
  return wholeSet(readNode(fieldsV1, 0));
}

/** Decodes a field set as `fieldSetFromJson` does. Yields between steps of bounded size. */
export function* fieldSetSteps(fieldsV1: JsonValue): Generator<void, FieldSet> {
  return wholeSet(yield* readSteps(fieldsV1, 0));
}

/** Whether decoding a field set takes more than one step. */
export function isLongForm(fieldsV1: JsonValue): boolean {
  return countedValue(fieldsV1, 0) > nodesPerStep;
}

/** Whether encoding a field set takes more than one step. */
export function isLargeSet(set: FieldSet): boolean {
  return countedSet(set, 0) > nodesPerStep;
}

/** The root of a set is never included. */
function wholeSet(set: FieldSet): FieldSet {
  return set.included ? fieldSetNode(false, set.children) : set;
}

/** Encodes a field set in FieldsV1 form, members in canonical order. */
export function fieldSetToJson(set: FieldSet): JsonObject {
  const json: JsonObject = {};
  if (set.included && set.children.size > 0) json['.'] = {};
  for (const element of sortPathElements(set.children.keys())) {
    json[element] = fieldSetToJson(set.children.get(element)!);
  }
  return json;
}

/** Encodes a field set as `fieldSetToJson` does. Yields between steps of bounded size. */
export function* fieldSetJsonSteps(set: FieldSet): Generator<void, JsonObject> {
  const json: JsonObject = {};
  if (set.included) json['.'] = {};
  const elements = sortPathElements(set.children.keys());
  if (elements.length > nodesPerStep) yield;
  let nodes = 0;
  for (const element of elements) {
    const child = set.children.get(element)!; // One of its keys.
    const below = countedSet(child, 0);
    const isLarge = below > nodesPerStep;
    json[element] = isLarge ? yield* fieldSetJsonSteps(child) : fieldSetToJson(child);
    nodes += isLarge ? 1 : below;
    if (nodes < nodesPerStep) continue;
    nodes = 0;
    yield;
  }
  return json;
}

/** Listing the keys of a large object is a step of its own. */
function* readSteps(value: JsonValue, depth: number): Generator<void, FieldSet> {
  yield;
  if (!isJsonObject(value)) return readNode(value, depth);
  if (depth > depthLimit) throw tooDeep();
  const node: ReadNode = { included: false, children: new Map() };
  let nodes = 0;
  for (const key of Object.keys(value)) {
    const element = readElement(node, key);
    const member = value[key]!; // One of its keys.
    if (element === undefined) continue;
    const below = countedValue(member, 0);
    const isLarge = below > nodesPerStep;
    addChild(node, element, isLarge ? yield* readSteps(member, depth + 1) : readNode(member, depth + 1));
    nodes += isLarge ? 1 : below;
    if (nodes < nodesPerStep) continue;
    nodes = 0;
    yield;
  }
  return finished(node, depth);
}

function readNode(value: JsonValue, depth: number): FieldSet {
  if (depth > depthLimit) throw tooDeep();
  if (value === null) return depth === 0 ? emptyFieldSet : includedLeaf;
  if (!isJsonObject(value)) throw new UnreadableFieldSet('a field set consists of objects only');
  const keys = Object.keys(value);
  if (keys.length === 0) return depth === 0 ? emptyFieldSet : includedLeaf;
  const node: ReadNode = { included: false, children: new Map() };
  for (const key of keys) {
    const element = readElement(node, key);
    if (element !== undefined) addChild(node, element, readNode(value[key]!, depth + 1)); // One of its keys.
  }
  return finished(node, depth);
}

interface ReadNode {
  included: boolean;
  readonly children: Map<PathElement, FieldSet>;
}

/** Returns the path element of a key; undefined for `.`, which includes the node itself, and for an unknown kind. */
function readElement(node: ReadNode, key: string): PathElement | undefined {
  if (key !== '.') return parsePathElement(key);
  node.included = true;
  return undefined;
}

function addChild({ children }: ReadNode, element: PathElement, child: FieldSet): void {
  const other = children.get(element); // Two keys may have the same canonical element.
  children.set(element, other === undefined ? child : union(other, child));
}

/** A node without children is included by its presence. */
function finished({ included, children }: ReadNode, depth: number): FieldSet {
  return fieldSetNode(included || (depth > 0 && children.size === 0), children);
}

function tooDeep(): UnreadableFieldSet {
  return new UnreadableFieldSet(`a field set nests at most ${depthLimit} levels deep`);
}

/** Counts the nodes of a value; stops beyond `nodesPerStep`. */
function countedValue(value: JsonValue, before: number): number {
  let nodes = before + 1;
  if (!isJsonObject(value)) return nodes;
  for (const key in value) {
    if (nodes > nodesPerStep) break;
    nodes = countedValue(value[key]!, nodes); // One of its keys.
  }
  return nodes;
}

function countedSet({ children }: FieldSet, before: number): number {
  let nodes = before + 1;
  if (children.size > nodesPerStep) return nodes + nodesPerStep;
  for (const child of children.values()) {
    if (nodes > nodesPerStep) break;
    nodes = countedSet(child, nodes);
  }
  return nodes;
}
