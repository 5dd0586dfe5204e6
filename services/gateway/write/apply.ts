import {
  type ApiObject,
  causeFromFieldError,
  copyJson,
  isJsonObject,
  type JsonObject,
  type ManagedFieldsEntry,
  removeDuplicateOwnerReferences,
} from '@binnacle/api-objects';
import { checkTypes } from '@binnacle/api-types';
import { checkObject } from '@binnacle/codecs';
import { runInSlices } from '@binnacle/event-loop';
import { applySteps, conflictError, encodeManagedFieldsSteps, noManagers } from '@binnacle/server-side-apply';
import { conflict, invalid, notFound } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { kindNameOf, resourceNameOf } from '../request/names.ts';
import { isLongWrite, restBetweenSteps } from '../request/rest-between-steps.ts';
import { aliasNamesFor } from '../versions/alias-form.ts';
import { type Adjustment, noAdjustment } from './adjustment.ts';
import { readApplied } from './applied-object.ts';
import { authorizeCreate } from './authorize-create.ts';
import type { NewObject } from './create-object.ts';
import { withConversions } from './managed-fields/convert-versions.ts';
import { managedKindOf } from './managed-fields/managed-kind.ts';
import { storedManagersOf } from './managed-fields/managers-of.ts';
import { recordingOf } from './managed-fields/record-write.ts';
import { assertNameMatches, placeInNamespace } from './request-object.ts';
import { type NextObject, updateObject } from './update-object.ts';
import { type ApplyOptions, parseApplyOptions } from './write-options.ts';
import type { UpdateServices } from './write-services.ts';

/**
 * PATCH with a configuration, on an object or its status: server-side apply (spec 1, server-side apply). Creates the
 * object if there is none and the user may. Throws Conflict with a cause for each field of another manager that the
 * configuration would change, unless it is forced.
 */
export async function applyVerb(
  request: ApiRequest,
  services: UpdateServices,
  adjust: Adjustment = noAdjustment,
): Promise<ApiResult> {
  const options = parseApplyOptions(request.query);
  const { definition } = request;
  const { fieldValidation } = options;
  const names = definition.rules.aliasNames;
  const applied = await readApplied(request, { definition, fieldValidation, names });
  const write = { applied, options };
  return await updateObject(request, services, {
    options,
    createOptions: options.create,
    mayUseCache: true,
    async next({ object }) {
      const next = await applyTo(request, services, { ...write, live: object });
      adjust(next.object, object, services.clock());
      return next;
    },
    whenMissing: () => createApplied(request, services, write),
  });
}

interface AppliedWrite {
  readonly applied: JsonObject;
  readonly options: ApplyOptions;
}

interface AppliedTo extends AppliedWrite {
  /** The object before; undefined if there is none. */
  readonly live: ApiObject | undefined;
}

/** The merged object, checked like any other, and the managers of its fields. */
async function applyTo(
  request: ApiRequest,
  services: UpdateServices,
  { applied, options, live }: AppliedTo,
): Promise<NextObject & { readonly managedFields: readonly ManagedFieldsEntry[] }> {
  const managed = live === undefined ? noManagers : await storedManagersOf(live);
  if (isLongWrite(request)) await restBetweenSteps(request);
  const work = applySteps({
    ...recordingOf(request, services),
    live: live ?? {},
    applied: withoutDisabledFields(request, applied, live),
    managed,
    empty: managedKindOf(request.definition).empty,
    force: options.force,
    ...recordNamesOf(request),
  });
  const result = await withConversions(request, services, { work });
  if (result.kind === 'conflicts') throw conflictError(result.conflicts);
  if (isLongWrite(request)) await restBetweenSteps(request);
  const { object, warnings } = checkObject(request.definition, result.object, 'Ignore', live);
  placeInNamespace(request, object);
  assertNameMatches(request, object);
  assertApplicable(request, object);
  const warning = removeDuplicateOwnerReferences(object.metadata);
  if (isLongWrite(request)) await restBetweenSteps(request);
  return {
    object,
    warnings: warning === undefined ? warnings : [...warnings, warning],
    managedFields: await runInSlices(encodeManagedFieldsSteps(result.managed)),
  };
}

/** Throws Invalid for what an apply cannot set although other writes may have it. */
function assertApplicable({ definition, info }: ApiRequest, object: ApiObject): void {
  const errors = definition.rules.validateApplied?.(object, info.subresource) ?? [];
  if (errors.length > 0)
    throw invalid(kindNameOf(definition), object.metadata.name ?? '', errors.map(causeFromFieldError));
}

/** The configuration without the fields of features that are off and that the object does not use: they have no manager. */
function withoutDisabledFields(
  { definition: { disabledFields, message } }: ApiRequest,
  applied: JsonObject,
  live: ApiObject | undefined,
): JsonObject {
  if (disabledFields?.areIn(applied) !== true || !isJsonObject(applied['metadata'])) return applied;
  // Values of wrong types are for the apply to refuse.
  if (checkTypes(message, copyJson(applied)).mismatch !== undefined) return applied;
  const kept = copyJson(applied);
  disabledFields.drop(kept as ApiObject, live); // it has metadata, and the types of its kind
  return kept;
}

/** The record of client-side apply is in the names that its client sent, which may be others than the own ones. */
function recordNamesOf({ definition, info }: ApiRequest) {
  const { aliasNames } = definition.rules;
  if (aliasNames === undefined) return {};
  const throughAlias = aliasNamesFor(definition, info) !== undefined;
  return {
    lastApplied: {
      read: aliasNames.fromAlias,
      write: (applied: JsonObject) => (throughAlias ? aliasNames.toAlias(applied) : applied),
    },
  };
}

async function createApplied(
  request: ApiRequest,
  services: UpdateServices,
  write: AppliedWrite,
): Promise<NewObject> {
  const { definition, info } = request;
  if (info.subresource !== '') throw notFound(resourceNameOf(definition), info.name);
  await authorizeCreate(request, services);
  const { object, warnings, managedFields } = await applyTo(request, services, { ...write, live: undefined });
  const { uid = '' } = object.metadata;
  if (uid !== '') {
    const why = `uid mismatch: the configuration names the uid ${uid}, and there is no such object`;
    throw conflict(resourceNameOf(definition), info.name, why);
  }
  return { object, managedFields, warnings };
}
