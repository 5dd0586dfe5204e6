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

/** Maximum nesting depth of the result of a patch. */
const depthLimit = 512;

type Operation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string[]; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string[] }
  | { readonly op: 'copy' | 'move'; readonly path: string[]; readonly from: string[] };

/** State of applying a patch; `root` is the document, which operations can replace. */
interface Patched {
  root: JsonValue;
  /** Remaining characters that copy operations may add. */
  copyBudget: number;
  /** Remaining array elements that insertions and removals may move. */
  shiftBudget: number;
  /** Work since the last yield, in moved elements. */
  work: number;
}

const mostOperations = 10_000;
/** Maximum size of all copies, in bytes: that of the largest request body. */
const copyLimit = 3_145_728;
/** Maximum number of moved elements, which takes well under 1 s. */
const shiftLimit = 100_000_000;
/** Work between two yields, about 1 ms. */
const workPerStep = 500_000;
/** Cost of an operation, in moved elements. */
const costOfOperation = 2_000;

/**
 * Applies a JSON patch (RFC 6902) and returns the new document; neither argument is modified. Throws BadRequest if the patch is
 * not a list of operations; Invalid (422) if an operation is unknown, names a missing path or fails its test, if the result nests
 * deeper than 512 levels, or if copies exceed 3 MiB in total; RequestEntityTooLarge (413) for more than 10,000 operations.
 */
export function applyJsonPatch(document: JsonValue, patch: JsonValue): JsonValue {
  return runAtOnce(jsonPatchSteps(document, patch));
}

/** Applies a JSON patch as `applyJsonPatch` does. Yields between steps of bounded size. */
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

/** Returns the value; throws if it nests too deep to traverse, because moves can nest values repeatedly. */
function shallowEnough(value: JsonValue): JsonValue {
  if (isTooDeep(value)) throw tooDeep();
  return value;
}

function valueAt(root: JsonValue, path: readonly string[]): JsonValue {
  let value = root;
  for (const step of path) value = childAt(value, step);
  return value;
}

/** Returns the value for a test. An absent member counts as null, to guard an `add`; its parent must exist. */
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

/** Minimum cost of a value, in characters. */
const costOfValue = 8;

/** Returns the approximate length of a value as JSON text, plus a cost for each nested value. Throws if it nests too deep. */
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

/** Whether a value nests deeper than the limit; recursion stops at the limit. */
function isTooDeep(value: JsonValue, depth = 0): boolean {
  if (!isContainer(value)) return false;
  if (depth >= depthLimit) return true;
  if (Array.isArray(value)) return value.some(item => isContainer(item) && isTooDeep(item, depth + 1));
  for (const key of Object.keys(value)) {
    const member = value[key]!; // One of its keys.
    if (isContainer(member) && isTooDeep(member, depth + 1)) return true;
  }
  return false;
}
