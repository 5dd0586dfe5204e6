import {
  copyJsonSteps,
  equalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  setOwnProperty,
} from '@binnacle/api-objects';
import { runAtOnce } from '@binnacle/event-loop';
import { badRequest, StatusError } from '@binnacle/status-errors';
import { childAt, isContainer, PointerError, parseIndex, parsePointer } from './json-pointer.ts';
import { patchRejected } from './patch-error.ts';

/** Containers may lie within each other this deep in the result of a patch. */
const depthLimit = 512;

type Operation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string[]; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string[] }
  | { readonly op: 'copy' | 'move'; readonly path: string[]; readonly from: string[] };

/** The document under the patch, in a holder so that the root can be replaced. */
interface Patched {
  root: JsonValue;
  /** Characters that copy operations may still add. */
  copyBudget: number;
  /** Elements of arrays that insertions and removals may still move. */
  shiftBudget: number;
  /** Work since the last pause, in elements that are moved. */
  work: number;
}

const mostOperations = 10_000;
/** Copies may add as much as the largest request body. */
const copyLimit = 3_145_728;
/** As many elements are moved in well under a second. */
const shiftLimit = 100_000_000;
/** Work between two pauses: about a millisecond. */
const workPerStep = 500_000;
/** An operation costs as much as so many elements that are moved. */
const costOfOperation = 2_000;

/**
 * Applies a JSON patch (RFC 6902) and answers the new document; neither argument is changed.
 * Throws BadRequest when the patch is no list of operations, and Invalid (422) when an operation is unknown,
 * names a missing path, or tests for a value that is not there, and when the result nests deeper than 512 levels; more than 10,000 operations, or copies of more
 * than 3 MiB in sum, are refused with 413 and 422.
 */
export function applyJsonPatch(document: JsonValue, patch: JsonValue): JsonValue {
  return runAtOnce(jsonPatchSteps(document, patch));
}

/** A JSON patch as `applyJsonPatch` applies it. Yields between steps of bounded size. */
export function* jsonPatchSteps(document: JsonValue, patch: JsonValue): Generator<void, JsonValue> {
  if (!Array.isArray(patch))
    throw badRequest('error decoding patch: a JSON patch must be a list of operations');
  if (patch.length > mostOperations) throw tooManyOperations(patch.length);
  const patched: Patched = {
    root: yield* copyJsonSteps(document),
    copyBudget: copyLimit,
    shiftBudget: shiftLimit,
    work: 0,
  };
  for (const [position, entry] of patch.entries()) {
    try {
      yield* apply(patched, parseOperation(entry));
    } catch (error) {
      if (error instanceof PointerError) throw rejected(entry, position, error.message);
      throw error;
    }
    patched.work += costOfOperation;
    if (patched.work < workPerStep) continue;
    patched.work = 0;
    yield;
  }
  if (isTooDeep(patched.root)) throw tooDeep();
  return patched.root;
}

function parseOperation(entry: JsonValue): Operation {
  if (!isJsonObject(entry)) throw badRequest('error decoding patch: an operation must be an object');
  const { op, path } = entry;
  if (typeof op !== 'string') throw new PointerError('an operation needs the member op');
  if (typeof path !== 'string') throw new PointerError('an operation needs the member path');
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      if (entry['value'] === undefined) throw new PointerError(`${op} needs the member value`);
      return { op, path: parsePointer(path), value: entry['value'] };
    case 'remove':
      return { op, path: parsePointer(path) };
    case 'copy':
    case 'move':
      if (typeof entry['from'] !== 'string') throw new PointerError(`${op} needs the member from`);
      return { op, path: parsePointer(path), from: parsePointer(entry['from']) };
    default:
      throw new PointerError('the operation is unknown');
  }
}

function* apply(patched: Patched, operation: Operation): Generator<void, void> {
  const { path } = operation;
  switch (operation.op) {
    case 'add':
      add(patched, path, yield* copyJsonSteps(operation.value));
      return;
    case 'replace':
      replace(patched, path, yield* copyJsonSteps(operation.value));
      return;
    case 'remove':
      remove(patched, path);
      return;
    case 'test':
      if (!equalJson(shallowEnough(testedValue(patched.root, path)), operation.value))
        throw new PointerError('the test failed');
      return;
    case 'copy':
      add(patched, path, yield* copyWithin(patched, operation.from));
      return;
    case 'move':
      move(patched, operation.from, path);
      return;
  }
}

function add(patched: Patched, path: readonly string[], value: JsonValue): void {
  const last = path.at(-1);
  if (last === undefined) {
    patched.root = value;
    return;
  }
  const parent = parentAt(patched.root, path);
  if (Array.isArray(parent)) {
    const at = last === '-' ? parent.length : parseIndex(last, parent.length);
    if (at < parent.length) spendShifts(patched, parent.length);
    parent.splice(at, 0, value);
  } else setOwnProperty(parent, last, value);
}

function spendShifts(patched: Patched, length: number): void {
  patched.shiftBudget -= length;
  patched.work += length;
  if (patched.shiftBudget < 0) throw new PointerError('the patch changes long arrays too often');
}

function replace(patched: Patched, path: readonly string[], value: JsonValue): void {
  const last = path.at(-1);
  if (last === undefined) {
    patched.root = value;
    return;
  }
  const parent = parentAt(patched.root, path);
  childAt(parent, last);
  if (Array.isArray(parent)) parent[parseIndex(last, parent.length - 1)] = value;
  else setOwnProperty(parent, last, value);
}

function remove(patched: Patched, path: readonly string[]): JsonValue {
  const last = path.at(-1);
  if (last === undefined) throw new PointerError('the whole document cannot be removed');
  const parent = parentAt(patched.root, path);
  const removed = childAt(parent, last);
  if (Array.isArray(parent)) {
    spendShifts(patched, parent.length);
    parent.splice(parseIndex(last, parent.length - 1), 1);
  } else delete parent[last];
  return removed;
}

function move(patched: Patched, from: readonly string[], path: readonly string[]): void {
  const intoItself = from.length < path.length && from.every((step, i) => step === path[i]);
  if (intoItself) throw new PointerError('a value cannot be moved into itself');
  if (from.length === 0) return;
  add(patched, path, remove(patched, from));
}

function* copyWithin(patched: Patched, from: readonly string[]): Generator<void, JsonValue> {
  const value = valueAt(patched.root, from);
  patched.copyBudget -= measureJson(value);
  if (patched.copyBudget < 0) throw new PointerError(`copies add more than ${copyLimit} bytes`);
  yield;
  return yield* copyJsonSteps(value);
}

/** The value, unless it nests too deeply to be gone through: moves can stack values upon each other. */
function shallowEnough(value: JsonValue): JsonValue {
  if (isTooDeep(value)) throw tooDeep();
  return value;
}

function valueAt(root: JsonValue, path: readonly string[]): JsonValue {
  let value = root;
  for (const step of path) value = childAt(value, step);
  return value;
}

/** A member that an object does not have is null to a test: the guard before an `add`. What it is to be in must be there. */
function testedValue(root: JsonValue, path: readonly string[]): JsonValue {
  const last = path.at(-1);
  if (last === undefined) return root;
  const parent = parentAt(root, path);
  return Array.isArray(parent) ? childAt(parent, last) : (ownProperty(parent, last) ?? null);
}

function parentAt(root: JsonValue, path: readonly string[]): JsonValue[] | JsonObject {
  const parent = valueAt(root, path.slice(0, -1));
  if (!isContainer(parent)) throw new PointerError('the path does not exist');
  return parent;
}

/** A value costs as much as so many characters, however short it is. */
const costOfValue = 8;

/** About the length of a value as JSON text, and something for each value in it. Throws when the value nests too deeply. */
function measureJson(value: JsonValue, depth = 0): number {
  if (typeof value === 'string') return value.length + costOfValue;
  if (!isContainer(value)) return costOfValue;
  if (depth >= depthLimit) throw tooDeep();
  let size = costOfValue;
  if (Array.isArray(value)) for (const item of value) size += measureJson(item, depth + 1) + 1;
  else for (const key of Object.keys(value)) size += key.length + 4 + measureJson(value[key]!, depth + 1);
  return size;
}

function rejected(entry: JsonValue, position: number, why: string): StatusError {
  const { op = '', path = '' } = isJsonObject(entry) ? entry : {};
  const shown = `${String(op).slice(0, 32)} ${JSON.stringify(path).slice(0, 256)}`;
  return patchRejected(`operation ${position} (${shown}): ${why}`);
}

function tooDeep(): StatusError {
  return patchRejected(`the result nests deeper than ${depthLimit} levels`);
}

function tooManyOperations(count: number): StatusError {
  const message = `the patch has ${count} operations; at most ${mostOperations} are allowed`;
  return new StatusError({ reason: 'RequestEntityTooLarge', code: 413, message });
}

/** Asks whether a value nests deeper than the limit; goes no deeper than that itself. */
function isTooDeep(value: JsonValue, depth = 0): boolean {
  if (!isContainer(value)) return false;
  if (depth >= depthLimit) return true;
  if (Array.isArray(value)) return value.some(item => isContainer(item) && isTooDeep(item, depth + 1));
  for (const key of Object.keys(value)) {
    const member = value[key]!; // one of its own
    if (isContainer(member) && isTooDeep(member, depth + 1)) return true;
  }
  return false;
}
