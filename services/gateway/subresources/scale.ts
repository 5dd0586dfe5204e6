import {
  type ApiObject,
  causeFromFieldError,
  type FieldError,
  invalidField,
  type JsonObject,
  type ManagedFieldsEntry,
  parseResourceVersion,
} from '@binnacle/api-objects';
import {
  prepareForUpdate,
  type ScalePaths,
  type SubresourceDefinition,
  validateObjectUpdate,
  withoutInherited,
} from '@binnacle/api-types';
import { compileSchemaRules } from '@binnacle/cel';
import { checkObject } from '@binnacle/codecs';
import { conflict, invalid, type KindName, notFound } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult, ResourceVerbs } from '../request/api-request.ts';
import { kindNameOf, resourceNameOf } from '../request/names.ts';
import { readApplied } from '../write/apply.ts';
import { type CurrentObject, readCurrent } from '../write/engine/current-object.ts';
import type { WriteServices } from '../write/engine/run-write.ts';
import { setManagedFields } from '../write/managed-fields/record-write.ts';
import { applyMediaType, checkPatched, readPatch } from '../write/patch.ts';
import { assertNameMatches, assertSentUid, placeInNamespace } from '../write/request-object.ts';
import { parseApplyOptions, parseWriteOptions, type WriteOptions } from '../write/write-options.ts';
import { decodeSubresourceBody, findBodyDefinition } from './request-body.ts';
import { applyScale, recordScaleUpdate, type ScaleChange } from './scale-managed-fields.ts';
import { replicasOf, scaleFrom, withReplicas } from './scale-object.ts';
import { writeThrough } from './write-through.ts';

/** The verbs of a `scale` subresource, whose figures stand at these paths in the object. */
export function scaleVerbs({ scale }: SubresourceDefinition): ResourceVerbs<WriteServices> | undefined {
  if (scale === undefined) return undefined;
  return {
    get: (request, services) => getScale(request, services, scale),
    update: (request, services) => updateScale(request, services, scale),
    patch: (request, services) => patchScale(request, services, scale),
  };
}

const scaleKind: KindName = { group: 'autoscaling', kind: 'Scale' };
const modified =
  'the object has been modified; please apply your changes to the latest version and try again';

async function getScale(request: ApiRequest, services: WriteServices, paths: ScalePaths): Promise<ApiResult> {
  const current = await readCurrent(request, services);
  if (current === undefined) throw notFound(resourceNameOf(request.definition), request.info.name);
  return { kind: 'object', code: 200, object: scaleFrom(current.object, paths) };
}

async function updateScale(
  request: ApiRequest,
  services: WriteServices,
  paths: ScalePaths,
): Promise<ApiResult> {
  const options = parseWriteOptions(request.query, 'UpdateOptions');
  const { object: scale } = await decodeSubresourceBody(request, options);
  assertNameMatches(request, scale);
  return await writeScale(request, services, {
    paths,
    options,
    next: change => updated(request, services, { ...change, next: scale }),
  });
}

function updated(
  request: ApiRequest,
  services: WriteServices,
  change: ScaleChange & { readonly next: ApiObject },
): NextScale {
  return { scale: change.next, managedFields: recordScaleUpdate(request, services, change) };
}

async function patchScale(
  request: ApiRequest,
  services: WriteServices,
  paths: ScalePaths,
): Promise<ApiResult> {
  if (request.contentType === applyMediaType) return await applyToScale(request, services, paths);
  const definition = findBodyDefinition(request);
  const change = await readPatch(request, definition.message);
  const options = parseWriteOptions(request.query, 'PatchOptions');
  const { fieldValidation } = options;
  return await writeScale(request, services, {
    paths,
    options,
    async next({ before, parent }) {
      const { object, warnings } = checkPatched(definition, await change.apply(before), {
        fieldValidation,
        change,
        before,
      });
      placeInNamespace(request, object);
      assertNameMatches(request, object);
      request.warnings.push(...warnings.filter(warning => !request.warnings.includes(warning)));
      return updated(request, services, { before, parent, next: object });
    },
  });
}

async function applyToScale(
  request: ApiRequest,
  services: WriteServices,
  paths: ScalePaths,
): Promise<ApiResult> {
  const definition = findBodyDefinition(request);
  const options = parseApplyOptions(request.query);
  const { fieldValidation } = options;
  const applied = await readApplied(request, { definition, fieldValidation });
  return await writeScale(request, services, {
    paths,
    options,
    next(change) {
      const { scale, managedFields } = applyScale(request, services, {
        ...change,
        applied,
        force: options.force,
      });
      const { object } = checkObject(definition, scale, 'Ignore');
      placeInNamespace(request, object);
      assertNameMatches(request, object);
      return { scale: object, managedFields };
    },
  });
}

interface ScaleWrite {
  readonly paths: ScalePaths;
  readonly options: WriteOptions;
  /** Computes the new Scale from the one before. */
  next(change: ScaleChange): NextScale | Promise<NextScale>;
}

/** A new Scale, and the managed fields of the object with it. */
interface NextScale {
  readonly scale: ApiObject;
  readonly managedFields: readonly ManagedFieldsEntry[];
}

async function writeScale(
  request: ApiRequest,
  services: WriteServices,
  { paths, options, next }: ScaleWrite,
): Promise<ApiResult> {
  let entries: readonly ManagedFieldsEntry[] = [];
  return await writeThrough(request, services, {
    options,
    operation: 'UPDATE',
    async show(current) {
      const oldObject = scaleFrom(current.object, paths, { unset: 0 });
      const { scale, managedFields } = await next({ before: oldObject, parent: current.object });
      entries = managedFields;
      assertCurrent(request, scale, current);
      assertValid(scaleKind, scale, scaleErrors(request, scale));
      return { object: scale, oldObject };
    },
    apply(scale, current) {
      assertValid(scaleKind, scale, scaleErrors(request, scale));
      const scaled = withReplicas(current.object, paths, replicasOf(scale));
      setManagedFields(scaled, entries);
      prepareForUpdate(request.definition, scaled, current.object, request.info.subresource);
      assertValid(kindNameOf(request.definition), scaled, scaledErrors(request, scaled, current));
      return scaled;
    },
    answer: object => ({ kind: 'object', code: 200, object: scaleFrom(object, paths) }),
  });
}

function scaledErrors(
  { definition }: ApiRequest,
  scaled: ApiObject,
  { object }: CurrentObject,
): FieldError[] {
  const found = validateObjectUpdate(definition, scaled, object);
  const findOld = () => validateObjectUpdate(definition, object, object);
  const errors = withoutInherited(found, { definition, object: scaled, old: object, findOld });
  const { structure } = definition.message;
  const rules = errors.length === 0 && structure ? compileSchemaRules(structure.schema) : undefined;
  return rules?.errors(scaled as JsonObject, object as JsonObject) ?? errors;
}

/**
 * The errors in a Scale; where a schema describes the number of replicas, it is checked as a field of the object
 * instead.
 */
function scaleErrors({ definition }: ApiRequest, scale: ApiObject): FieldError[] {
  if (definition.message.structure !== undefined) return [];
  const replicas = replicasOf(scale);
  return replicas < 0 ? [invalidField('spec.replicas', replicas, 'must be greater than or equal to 0')] : [];
}

/** Throws Conflict when the Scale names another resourceVersion or uid than the object has. */
function assertCurrent(request: ApiRequest, scale: ApiObject, current: CurrentObject): void {
  const { definition, info } = request;
  const { resourceVersion = '' } = scale.metadata;
  const version = parseResourceVersion(resourceVersion);
  if (version !== 0 && version !== current.revision)
    throw conflict(resourceNameOf(definition), info.name, modified);
  assertSentUid(request, scale, current.object);
}

function assertValid(kind: KindName, object: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(kind, object.metadata.name ?? '', errors.map(causeFromFieldError));
}
