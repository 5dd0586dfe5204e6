import { copyJson, equalJson, isJsonObject, type JsonObject, ownProperty } from '@binnacle/api-objects';
import { badRequest } from '@binnacle/status-errors';
import { difference, equalFieldSets } from './field-sets/algebra.ts';
import { type FieldSet, isEmptyFieldSet } from './field-sets/field-set.ts';
import {
  clientSideApplier,
  isOfVersion,
  type LastAppliedNames,
  unchangedSinceLastApplied,
  withLastApplied,
} from './last-applied.ts';
import { type Conflict, conflictsSteps } from './managers/conflicts.ts';
import type { FieldManager } from './managers/field-managers.ts';
import type { ManagedFields } from './managers/managed-fields.ts';
import { type ManagerId, managerIdFromIdentity } from './managers/manager-id.ts';
import { type MergeConfigurationResult, mergeConfigurationSteps } from './managers/merge-configuration.ts';
import {
  createConversions,
  createServedVersions,
  type ManagedWrite,
  withoutManagedFields,
} from './managers/request.ts';
import { unmanagedFields } from './managers/unmanaged-fields.ts';
import {
  type Converting,
  convertedAtOnce,
  type ServedVersions,
  type Versions,
  versionName,
} from './managers/versions.ts';
import { updateSteps } from './update.ts';
import { faultsText, validate } from './values/validate.ts';

/** A server-side apply request. */
interface ApplyRequest<V extends ServedVersions = Versions> extends ManagedWrite<V> {
  /** The object before the apply; `{}` if it does not exist. */
  readonly live: JsonObject;
  /** The manager's configuration; its group may be named by an alias. */
  readonly applied: JsonObject;
  /** Whether the apply takes over fields of other managers instead of failing with conflicts; default: false. */
  readonly force?: boolean;
  /** Whether managed fields of the object are tracked even if it has none; default: whether it has managers. */
  readonly tracked?: boolean;
  /** An object of the kind without values, see `createEmptyObject`; default: `{}`. */
  readonly empty?: JsonObject;
  /** Converts names between the schema and the last-applied annotation; default: they are equal. */
  readonly lastApplied?: LastAppliedNames;
}

/** An apply to an object with field managers. */
interface TrackedApply extends ApplyRequest<ServedVersions> {
  /** The versions that the write uses. */
  readonly served: ServedVersions;
}

/** The result of an apply: the merged object and its field managers, or the conflicts. */
export type ApplyResult =
  | {
      readonly kind: 'applied';
      /**
       * The merged object without metadata.managedFields and without defaults; shares nothing with the arguments. It contains
       * null where the applied object does, and for a container whose last member was removed.
       */
      readonly object: JsonObject;
      readonly managed: ManagedFields;
    }
  | { readonly kind: 'conflicts'; readonly conflicts: readonly Conflict[] };

/**
 * Applies a configuration (spec 1, server-side apply, 3 to 8). Afterwards the manager manages the fields that the configuration
 * names, shared with managers that hold the same values; fields of its last configuration that are now missing are removed unless
 * other managers have them. A tracked object without managers first gets the manager `before-first-apply`, which manages all its
 * fields. An apply by `kubectl` does not conflict on fields that client-side apply left unchanged, see
 * `unchangedSinceLastApplied`. The manager's time is that of its last apply that changed a value; a manager that only shares
 * existing values has none. Throws BadRequest if the configuration has another version, contains managedFields, or does not match
 * the schema.
 */
export function apply(request: ApplyRequest): ApplyResult {
  return convertedAtOnce(applySteps(request), createConversions(request));
}

/** Applies a configuration as `apply` does, with asynchronous conversions. */
export function* applySteps(request: ApplyRequest<ServedVersions>): Converting<ApplyResult> {
  assertApplicable(request);
  yield;
  const live = withoutManagedFields(request.live);
  const served = createServedVersions(request);
  // The configuration may name its group by an alias; the object uses its canonical name.
  const applied = { ...request.applied, apiVersion: versionName(served, request.apiVersion) };
  const isTracked = request.tracked ?? request.managed.managers.size > 0;
  const managed = isTracked ? request.managed : yield* firstManagers(request, live);
  const tracked: TrackedApply = { ...request, live, applied, managed, served };
  const { manager, apiVersion, subresource = '' } = request;
  const id = managerIdFromIdentity({
    manager: manager || 'unknown',
    operation: 'Apply',
    apiVersion,
    subresource,
  });
  const merging = yield* applyAs(id, tracked);
  const result = merging.conflicts.size === 0 ? merging : yield* settle(merging, id, tracked);
  if (result.conflicts.size > 0)
    return { kind: 'conflicts', conflicts: yield* conflictsSteps(result.conflicts) };
  yield;
  const merged = isJsonObject(result.object) ? result.object : {};
  const object =
    manager === clientSideApplier ? withLastApplied(merged, request.applied, request.lastApplied) : merged;
  const { managers } = result;
  const before = tracked.managed.managers.get(id);
  // Reuses the earlier set, whose encoded form is cached.
  if (before !== undefined && managesTheSame(tracked, before, managers.get(id))) managers.set(id, before);
  yield;
  const times = new Map<string, string>();
  for (const [other, time] of tracked.managed.times) if (managers.has(other)) times.set(other, time);
  if (!equalJson(live, merged) && managers.has(id)) times.set(id, request.now);
  yield;
  return { kind: 'applied', object: copyJson(object), managed: { managers, times } };
}

function assertApplicable(request: ApplyRequest<ServedVersions>): void {
  const { applied, apiVersion, schema } = request;
  if (!isOfVersion(applied, request)) throw badRequest(otherVersion(applied, apiVersion));
  const metadata = ownProperty(applied, 'metadata');
  if (isJsonObject(metadata) && (ownProperty(metadata, 'managedFields') ?? null) !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const faults = validate(applied, schema);
  if (faults.length > 0) {
    throw badRequest(`the configuration does not fit its type (${nameText(applied)}): ${faultsText(faults)}`);
  }
}

function otherVersion(applied: JsonObject, expected: string): string {
  const version = ownProperty(applied, 'apiVersion');
  const sent = typeof version === 'string' ? JSON.stringify(version.slice(0, 128)) : 'none';
  return `the configuration must be of version ${JSON.stringify(expected)}; the version that it names is ${sent}`;
}

function nameText(applied: JsonObject): string {
  const metadata = ownProperty(applied, 'metadata');
  const text = (name: string) => (isJsonObject(metadata) ? (ownProperty(metadata, name) ?? '') : '');
  const apiVersion = String(applied.apiVersion);
  const version = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  return `${text('namespace')}/${text('name')}; ${version}, Kind=${ownProperty(applied, 'kind') ?? ''}`;
}

/** An object may be without managers until its first apply, which needs a manager of the existing fields. */
function firstManagers(request: ApplyRequest<ServedVersions>, live: JsonObject): Converting<ManagedFields> {
  return updateSteps({
    ...request,
    live: request.empty ?? {},
    next: live,
    manager: 'before-first-apply',
  });
}

function applyAs(
  id: ManagerId,
  request: TrackedApply,
  force = request.force === true,
): Converting<MergeConfigurationResult> {
  const { live, applied, managed, apiVersion, served: versions } = request;
  return mergeConfigurationSteps({
    live,
    applied,
    managers: managed.managers,
    manager: id,
    apiVersion,
    versions,
    force,
    unmanaged: unmanagedFields,
  });
}

/** Removes conflicts caused by client-side apply; if none remain, repeats the apply with force. */
function* settle(
  result: MergeConfigurationResult,
  id: ManagerId,
  request: TrackedApply,
): Converting<MergeConfigurationResult> {
  if (request.manager !== clientSideApplier) return result;
  const allowed = unchangedSinceLastApplied(request.live, request);
  if (allowed === undefined) return result;
  const conflicts = new Map<string, FieldSet>();
  for (const [manager, fields] of result.conflicts) {
    const rest = difference(fields, allowed);
    if (!isEmptyFieldSet(rest)) conflicts.set(manager, rest);
  }
  return conflicts.size === 0 ? yield* applyAs(id, request, true) : { ...result, conflicts };
}

function managesTheSame(
  { served }: TrackedApply,
  before: FieldManager,
  after: FieldManager | undefined,
): boolean {
  if (after === undefined || !equalFieldSets(before.fields, after.fields)) return false;
  if (before.apiVersion === after.apiVersion) return true;
  return versionName(served, before.apiVersion) === versionName(served, after.apiVersion);
}
