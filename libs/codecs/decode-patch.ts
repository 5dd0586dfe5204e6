import { isJsonObject, type JsonValue } from '@binnacle/api-objects';
import { countKeys } from '@binnacle/api-types';
import { isLong, runInSlices } from '@binnacle/event-loop';
import { badRequest } from '@binnacle/status-errors';
import type { FloatLiteral } from './json/float-literals.ts';
import { type ParsedText, parseJson, parseJsonSteps } from './json/parse-json.ts';

/** A decoded patch and findings about its text. */
export interface DecodedPatch {
  readonly patch: JsonValue;
  /**
   * Findings of field validation about the text: duplicate members and, in a list of operations, unknown members. Computed at the
   * first call and cached for retries.
   */
  findings(): readonly string[];
  /**
   * Whole numbers that the text writes as floats, with their paths in the patched document. Computed at the first call and
   * cached.
   */
  floats(): readonly FloatLiteral[];
}

/** Form of a patch: an object, or a list of operations (RFC 6902). */
export type PatchForm = 'object' | 'operations';

/** Maximum nesting depth of a patch, whose processing is recursive. */
const deepest = 200;
const mostReported = 1000;
const operationMembers = new Set(['op', 'path', 'from', 'value']);

/**
 * Decodes the JSON body of a patch, in slices if it is long. Throws BadRequest for text that is not JSON, for form `object` if
 * the value is not an object, and for nesting deeper than 200 levels. Operations are validated when the patch is applied.
 */
export function decodePatch(bytes: Uint8Array, form: PatchForm): DecodedPatch | Promise<DecodedPatch> {
  return isLong(bytes.length)
    ? runInSlices(decodedSteps(bytes, form))
    : decodedFrom(parseJson(bytes, unreadable), form);
}

/** Decodes a patch as `decodePatch` does, without yielding to other work; for command line programs. */
export function decodePatchAtOnce(bytes: Uint8Array, form: PatchForm): DecodedPatch {
  return decodedFrom(parseJson(bytes, unreadable), form);
}

const unreadable = 'error decoding patch';

function* decodedSteps(bytes: Uint8Array, form: PatchForm): Generator<void, DecodedPatch> {
  return decodedFrom(yield* parseJsonSteps(bytes, unreadable), form);
}

function decodedFrom(parsed: ParsedText, form: PatchForm): DecodedPatch {
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

/** Creates a function that computes its result at the first call and caches it. */
function once<Result>(compute: () => Result): () => Result {
  let kept: { readonly result: Result } | undefined;
  return () => {
    kept ??= { result: compute() };
    return kept.result;
  };
}

/** Returns a float within the value of an operation with its path in the patched document. */
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
