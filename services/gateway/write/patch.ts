import { type ApiObject, isJsonObject, type JsonValue } from '@binnacle/api-objects';
import { checkObject } from '@binnacle/codecs';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch } from '@binnacle/patching';
import { badRequest, notFound, unsupportedMediaType } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult, GatewayServices } from '../pipeline/api-request.ts';
import type { CurrentObject } from './current-object.ts';
import { namespaceOf, resourceNameOf } from './names.ts';
import { assertNameMatches, dropDuplicateOwners } from './request-object.ts';
import { updateObject } from './update-object.ts';
import { parseWriteOptions, type WriteOptions } from './write-options.ts';

type ApplyPatch = (document: ApiObject, patch: JsonValue, request: ApiRequest) => JsonValue;

/** The patch types that are served, by media type. */
const patchTypes: ReadonlyMap<string, ApplyPatch> = new Map<string, ApplyPatch>([
  ['application/json-patch+json', (document, patch) => applyJsonPatch(document, patch)],
  ['application/merge-patch+json', (document, patch) => applyMergePatch(document, patch)],
  [
    'application/strategic-merge-patch+json',
    (document, patch, { definition }) => applyStrategicMergePatch(document, patch, definition.message),
  ],
]);

/** PATCH on an object or its status: JSON patch, merge patch or strategic merge patch, by the body's media type. */
export async function patchVerb(request: ApiRequest, services: GatewayServices): Promise<ApiResult> {
  const apply = patchTypes.get(request.contentType);
  if (apply === undefined) throw unsupportedMediaType([...patchTypes.keys()]);
  const options = parseWriteOptions(request.query, 'PatchOptions');
  const patch = parsePatch(await request.body());
  return updateObject(request, services, {
    options,
    mayUseCache: true,
    next: current =>
      patched(request, current, { options, change: document => apply(document, patch, request) }),
    whenMissing: async () => {
      throw notFound(resourceNameOf(request.definition), request.info.name);
    },
  });
}

function patched(
  request: ApiRequest,
  current: CurrentObject,
  {
    options,
    change,
  }: { readonly options: WriteOptions; readonly change: (document: ApiObject) => JsonValue },
): { readonly object: ApiObject; readonly warnings: readonly string[] } {
  const value = change(current.object);
  assertIdentity(request, value);
  const { object, warnings } = checkObject(request.definition, value, options.fieldValidation);
  const warning = dropDuplicateOwners(object);
  return { object, warnings: warning === undefined ? warnings : [...warnings, warning] };
}

/** A patch can neither rename nor move an object. */
function assertIdentity(request: ApiRequest, value: JsonValue): void {
  if (!isJsonObject(value) || !isJsonObject(value['metadata'])) return;
  const { name = '', namespace = '' } = value['metadata'];
  if (typeof name === 'string') assertNameMatches(request, { apiVersion: '', kind: '', metadata: { name } });
  if (typeof namespace === 'string' && namespace !== namespaceOf(request))
    throw badRequest('the namespace of the patched object does not match the namespace on the URL');
}

/** Deeper patches than this are refused: what works on them recurses. */
const deepest = 200;

function parsePatch(body: Buffer): JsonValue {
  let patch: JsonValue;
  try {
    patch = JSON.parse(body.toString()) as JsonValue; // What JSON.parse returns without a reviver.
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message.slice(0, 200) : 'unreadable';
    throw badRequest(`error decoding patch: ${why}`);
  }
  if (isDeeperThan(patch, deepest))
    throw badRequest(`error decoding patch: it nests deeper than ${deepest} levels`);
  return patch;
}

function isDeeperThan(value: JsonValue, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit === 0 || Object.values(value).some(item => isDeeperThan(item, limit - 1));
}
