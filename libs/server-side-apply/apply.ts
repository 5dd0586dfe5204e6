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

/** A server-side apply. */
interface ApplyRequest<V extends ServedVersions = Versions> extends ManagedWrite<V> {
  /** The object before; `{}` if there is none. */
  readonly live: JsonObject;
  /** The configuration of the manager; its group may be named by an alias. */
  readonly applied: JsonObject;
  /** Take the fields of other managers instead of failing; default false. */
  readonly force?: boolean;
  /** Whether the object's managed fields are tracked, even if none is managed yet; default: if there are managers. */
  readonly tracked?: boolean;
  /** An object of the kind before anything is set, see `createEmptyObject`; default: `{}`. */
  readonly empty?: JsonObject;
  /** Between the names of the schema and those in the record of client-side apply; default: they are the same. */
  readonly lastApplied?: LastAppliedNames;
}

/** An apply to an object whose fields have managers. */
interface TrackedApply extends ApplyRequest<ServedVersions> {
  /** The versions that the write has to do with. */
  readonly served: ServedVersions;
}

/** The result of an apply: the merged object and its managers, or the conflicts. */
export type ApplyResult =
  | {
      readonly kind: 'applied';
      /**
       * The merged object without metadata.managedFields and without defaults; shares nothing with the arguments.
       * A null stands where the applied object has one, and for a container that lost its last member.
       */
      readonly object: JsonObject;
      readonly managed: ManagedFields;
    }
  | { readonly kind: 'conflicts'; readonly conflicts: readonly Conflict[] };

/**
 * Applies a configuration (spec 1, server-side apply, 3 to 8). The manager ends up managing what it names, together
 * with those who hold the same values; what it named before and no longer does is removed unless others manage it. An
 * object without managers gets one named `before-first-apply`, which manages all there is. An apply by `kubectl` does not
 * conflict over what client-side apply left, see `unchangedSinceLastApplied`. The time of the manager is that of its last apply
 * that changed a value: one that only comes to share what is there has none.
 * Throws BadRequest when the configuration is of another version, has managedFields, or does not fit the schema.
 */
export function apply(request: ApplyRequest): ApplyResult {
  return convertedAtOnce(applySteps(request), createConversions(request));
}

/** An apply as `apply` does it, for conversions that take their time. */
export function* applySteps(request: ApplyRequest<ServedVersions>): Converting<ApplyResult> {
  assertApplicable(request);
  yield;
  const live = withoutManagedFields(request.live);
  const served = createServedVersions(request);
  // The configuration may name its group with an alias, the object does not.
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
  // The earlier set, whose written form is known.
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

/** Until the first apply an object may have no managers; the first apply needs one for the fields it already has. */
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

/** Takes away the conflicts that come of client-side apply; when no others are left, the apply is a forced one. */
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
