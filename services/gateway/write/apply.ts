import {
  type ApiObject,
  causeFromFieldError,
  copyJson,
  copyJsonSteps,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ManagedFieldsEntry,
  removeDuplicateOwnerReferences,
} from '@binnacle/api-objects';
import { type AliasNames, checkTypes, type TypeCheck } from '@binnacle/api-types';
import { type BodyDefinition, checkObject, type FieldValidation } from '@binnacle/codecs';
import { parseYaml } from '@binnacle/codecs/texts';
import { isLong, runInSlices, yieldAfterStep } from '@binnacle/event-loop';
import {
  type ApplyResult,
  applySteps,
  conflictError,
  encodeLongManagedFields,
  type ManagedFields,
  noManagers,
} from '@binnacle/server-side-apply';
import { badRequest, conflict, invalid, notFound } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { kindNameOf, resourceNameOf } from '../request/names.ts';
import { isLongWrite, yieldBetweenSteps } from '../request/yield-between-steps.ts';
import { aliasNamesFor } from '../versions/alias-form.ts';
import { type Adjustment, changedObject } from './changed-object.ts';
import { assertMayCreate } from './create.ts';
import { runWrite, type WriteServices } from './engine/run-write.ts';
import { findManagedKind, withConversions } from './managed-fields/managed-kind.ts';
import { createRecording, readStoredManagers } from './managed-fields/record-write.ts';
import { assertNameMatches, placeInNamespace } from './request-object.ts';
import { parseApplyOptions } from './write-options.ts';

/**
 * PATCH with a configuration, on an object or its status: server-side apply (spec 1, server-side apply). Creates the
 * object if there is none and the user may. Throws Conflict with a cause for each field of another manager that the
 * configuration would change, unless it is forced.
 */
export async function applyVerb(
  request: ApiRequest,
  services: WriteServices,
  adjust?: Adjustment,
): Promise<ApiResult> {
  const options = parseApplyOptions(request.query);
  const { definition, info } = request;
  const { fieldValidation, force } = options;
  const names = definition.rules.aliasNames;
  const applied = await readApplied(request, { definition, fieldValidation, names });
  return await runWrite(request, services, {
    dryRun: options.dryRun,
    start: { from: 'cache' },
    attempt(current) {
      if (current === undefined) {
        if (info.subresource !== '') throw notFound(resourceNameOf(definition), info.name);
        return create();
      }
      const merging = applyTo(request, services, { applied, force, live: current.object });
      const build = (next: MergedObject) =>
        changedObject(request, services, { ...next, current, adjust, options });
      return merging instanceof Promise ? merging.then(build) : build(merging);
    },
  });

  async function create() {
    await assertMayCreate(request, services);
    const next = await applyTo(request, services, { applied, force, live: undefined });
    assertNamesNoUid(request, next.object);
    return await changedObject(request, services, {
      ...next,
      current: undefined,
      adjust,
      options: options.create(),
    });
  }
}

interface AppliedTo {
  readonly applied: JsonObject;
  readonly force: boolean;
  /** The object before; undefined if there is none. */
  readonly live: ApiObject | undefined;
}

/** The object with a configuration merged into it, checked like any other, and the managers of its fields. */
interface MergedObject {
  readonly object: ApiObject;
  readonly warnings: readonly string[];
  readonly managedFields: readonly ManagedFieldsEntry[];
}

/** Merges a configuration into an object; without a promise unless the write is a long one or a webhook has to convert. */
function applyTo(
  request: ApiRequest,
  services: WriteServices,
  to: AppliedTo,
): MergedObject | Promise<MergedObject> {
  const { live } = to;
  const managed = live === undefined ? noManagers : readStoredManagers(live);
  if (managed instanceof Promise || isLongWrite(request))
    return applyInSteps(request, services, { to, managed });
  const merging = withConversions(request, services, {
    work: applyingSteps(request, services, { to, managed }),
  });
  if (merging instanceof Promise) return merging.then(result => encodedInSteps(request, result, live));
  if (merging.kind === 'conflicts') throw conflictError(merging.conflicts);
  const { object, warnings } = mergedObject(request, merging, live);
  const encoding = encodeLongManagedFields(merging.managed);
  return encoding instanceof Promise
    ? encoding.then(managedFields => ({ object, warnings, managedFields }))
    : { object, warnings, managedFields: encoding };
}

async function applyInSteps(
  request: ApiRequest,
  services: WriteServices,
  { to, managed: reading }: Applying<ManagedFields | Promise<ManagedFields>>,
): Promise<MergedObject> {
  const managed = await reading;
  await yieldBetweenSteps(request);
  const work = applyingSteps(request, services, { to, managed });
  return await encodedInSteps(request, await withConversions(request, services, { work }), to.live);
}

async function encodedInSteps(
  request: ApiRequest,
  result: ApplyResult,
  live: ApiObject | undefined,
): Promise<MergedObject> {
  if (result.kind === 'conflicts') throw conflictError(result.conflicts);
  await yieldBetweenSteps(request);
  const { object, warnings } = mergedObject(request, result, live);
  await yieldBetweenSteps(request);
  const managedFields = await encodeLongManagedFields(result.managed);
  return { object, warnings, managedFields };
}

interface Applying<M> {
  readonly to: AppliedTo;
  readonly managed: M;
}

function applyingSteps(
  request: ApiRequest,
  services: WriteServices,
  { to: { applied, force, live }, managed }: Applying<ManagedFields>,
) {
  return applySteps({
    ...createRecording(request, services),
    live: live ?? {},
    applied: withoutDisabledFields(request, applied, live),
    managed,
    empty: findManagedKind(request.definition).empty,
    force,
    ...findRecordNames(request),
  });
}

/** Checks the object that a configuration was merged into, like any other. */
function mergedObject(
  request: ApiRequest,
  result: Extract<ApplyResult, { readonly kind: 'applied' }>,
  live: ApiObject | undefined,
): Pick<MergedObject, 'object' | 'warnings'> {
  const { object, warnings } = checkObject(request.definition, result.object, 'Ignore', live);
  placeInNamespace(request, object);
  assertNameMatches(request, object);
  assertApplicable(request, object);
  const warning = removeDuplicateOwnerReferences(object.metadata);
  return { object, warnings: warning === undefined ? warnings : [...warnings, warning] };
}

/** Throws Invalid for fields that an apply cannot set although other writes may contain them. */
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
  // The apply refuses values of wrong types.
  if (checkTypes(message, copyJson(applied)).mismatch !== undefined) return applied;
  const kept = copyJson(applied);
  disabledFields.drop(kept as ApiObject, live); // it has metadata, and the types of its kind
  return kept;
}

/** Names that the record of client-side apply may have: those that its client sent, which may be an alias's. */
function findRecordNames({ definition, info }: ApiRequest) {
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

/** Throws Conflict for a configuration that names a uid, where there is no object. */
function assertNamesNoUid({ definition, info }: ApiRequest, { metadata: { uid = '' } }: ApiObject): void {
  if (uid === '') return;
  const why = `uid mismatch: the configuration names the uid ${uid}, and there is no such object`;
  throw conflict(resourceNameOf(definition), info.name, why);
}

/** The definition and the options that a configuration is read by. */
interface AppliedTarget {
  readonly definition: BodyDefinition;
  readonly fieldValidation: FieldValidation;
  /** Names that a configuration may have in place of the own ones. */
  readonly names?: AliasNames | undefined;
}

/**
 * Reads the configuration that a request applies: the first document of its body, YAML or JSON, with the own names and
 * without the fields that its type does not have. Those and keys that occur twice are warnings of the request; throws BadRequest for them under
 * `Strict`, for text that is no object, and for another kind. The version and the types of values are for `apply` to check.
 */
export async function readApplied(
  request: Pick<ApiRequest, 'body' | 'warnings'>,
  { definition, fieldValidation, names }: AppliedTarget,
): Promise<JsonObject> {
  const bytes = await request.body();
  const parsing = parseYaml(bytes);
  const { value: sent, members, duplicates } = parsing instanceof Promise ? await parsing : parsing;
  if (!isJsonObject(sent)) throw badRequest('error decoding YAML: the configuration is not an object');
  assertKind(definition, sent);
  const value = names === undefined ? sent : names.fromAlias(sent);
  const isLongBody = isLong(bytes.length);
  const copy = isLongBody ? await runInSlices(copyJsonSteps(value)) : copyJson(value);
  if (isLongBody) await yieldAfterStep(bytes.length);
  const check = dropUnknownFields(definition, value, copy);
  if (isLongBody) await yieldAfterStep(bytes.length);
  if (fieldValidation !== 'Ignore') {
    // Text with as many members as its value names none twice.
    const twice = members === check.members ? [] : duplicates();
    const unknown = check.unknownFields.map(path => `unknown field ${JSON.stringify(path)}`);
    const findings = [...twice, ...unknown];
    if (findings.length > 0 && fieldValidation === 'Strict')
      throw badRequest(`error strict decoding YAML: ${findings.join(', ')}`);
    request.warnings.push(...findings);
  }
  return value;
}

/**
 * Drops fields that the type does not have, in place; returns the findings of the type check. Nulls stay, as they can
 * be applied. The checked copy is changed too.
 */
function dropUnknownFields({ message }: BodyDefinition, value: JsonObject, checked: JsonObject): TypeCheck {
  const check = checkTypes(message, checked);
  if (check.unknownFields.length > 0) dropUncheckedMembers(checked, value);
  return check;
}

function dropUncheckedMembers(checked: JsonValue | undefined, value: JsonValue): void {
  if (Array.isArray(value) && Array.isArray(checked)) {
    for (const [index, item] of value.entries()) dropUncheckedMembers(checked[index], item);
  } else if (isJsonObject(value) && isJsonObject(checked)) {
    for (const [key, member] of Object.entries(value)) {
      if (Object.hasOwn(checked, key)) dropUncheckedMembers(checked[key], member);
      else if (member !== null) delete value[key];
    }
  }
}

function assertKind({ kind }: BodyDefinition, value: JsonObject): void {
  const sent = Object.hasOwn(value, 'kind') ? value['kind'] : undefined;
  if (sent === kind) return;
  if (typeof sent !== 'string' || sent === '')
    throw badRequest(`the configuration has no kind, which must be ${kind}`);
  throw badRequest(`the configuration is of kind ${JSON.stringify(sent.slice(0, 128))}, not ${kind}`);
}
