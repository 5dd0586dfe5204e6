import { isJsonObject, type JsonValue } from '@binnacle/api-objects';
import { countKeys } from '@binnacle/api-types';
import { runAtOnce, runInSlices } from '@binnacle/event-loop';
import { badRequest } from '@binnacle/status-errors';
import type { FloatLiteral } from './json/float-literals.ts';
import { parseJsonSteps } from './json/parse-json.ts';

/** A patch, and what its text holds besides. */
export interface DecodedPatch {
  readonly patch: JsonValue;
  /**
   * Findings of field validation about the text: members that occur twice and, in a list of operations, members
   * that no operation has. Found at the first call, and kept for the attempts that follow.
   */
  findings(): readonly string[];
  /** The whole numbers that the text does not write as integers, with their places in the document. Found at the first call, and kept. */
  floats(): readonly FloatLiteral[];
}

/** The form of the text of a patch: an object, or a list of operations (RFC 6902). */
export type PatchForm = 'object' | 'operations';

/** Deeper patches than this are refused: what works on them recurses. */
const deepest = 200;
const mostReported = 1000;
const operationMembers = new Set(['op', 'path', 'from', 'value']);

/**
 * Decodes the JSON body of a patch, in slices where it is long. Throws BadRequest for text that is no JSON, for what is no object where it must be
 * one, and for what nests deeper than 200 levels. Whether a list of operations is one is for its application to say.
 */
export function decodePatch(bytes: Uint8Array, form: PatchForm): DecodedPatch | Promise<DecodedPatch> {
  return runInSlices(decodedSteps(bytes, form));
}

/** The same at once, for programs that have nothing else to do. */
export function decodePatchAtOnce(bytes: Uint8Array, form: PatchForm): DecodedPatch {
  return runAtOnce(decodedSteps(bytes, form));
}

function* decodedSteps(bytes: Uint8Array, form: PatchForm): Generator<void, DecodedPatch> {
  const parsed = yield* parseJsonSteps(bytes, 'error decoding patch');
  const patch = parsed.value;
  if (form === 'object' && !isJsonObject(patch))
    throw badRequest('error decoding patch: it is not an object');
  if (isDeeperThan(patch, deepest))
    throw badRequest(`error decoding patch: it nests deeper than ${deepest} levels`);
  return {
    patch,
    findings: once(() => {
      const unknown = form === 'operations' ? unknownMembers(patch) : [];
      const duplicates = parsed.members === countKeys(patch) ? [] : parsed.duplicates(unknown);
      const findings = [...unknown.map(path => `unknown field ${JSON.stringify(path)}`), ...duplicates];
      return form === 'operations' ? findings.map(finding => `json patch ${finding}`) : findings;
    }),
    floats: once(() =>
      form === 'operations' ? parsed.floats().flatMap(float => placed(float, patch)) : parsed.floats(),
    ),
  };
}

/** A function that computes its result at the first call. */
function once<Result>(compute: () => Result): () => Result {
  let kept: { readonly result: Result } | undefined;
  return () => {
    kept ??= { result: compute() };
    return kept.result;
  };
}

/** The float in the value of an operation, at its place in the document. */
function placed({ steps, text }: FloatLiteral, patch: JsonValue): FloatLiteral[] {
  const [position, member, ...below] = steps;
  const operation = Array.isArray(patch) ? patch[Number(position)] : undefined;
  const pointer = isJsonObject(operation) && member === 'value' ? operation['path'] : undefined;
  if (typeof pointer !== 'string') return [];
  const before = pointer.split('/').slice(1);
  const names = before.map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return [{ steps: [...names, ...below], text }];
}

function unknownMembers(patch: JsonValue): string[] {
  if (!Array.isArray(patch)) return [];
  const unknown: string[] = [];
  for (const [position, operation] of patch.entries()) {
    if (!isJsonObject(operation)) continue;
    for (const key of Object.keys(operation)) {
      if (unknown.length < mostReported && !operationMembers.has(key)) unknown.push(`[${position}].${key}`);
    }
  }
  return unknown;
}

function isDeeperThan(value: JsonValue, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit === 0 || Object.values(value).some(item => isDeeperThan(item, limit - 1));
}
