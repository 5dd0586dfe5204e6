import {
  type ApiObject,
  formatApiVersion,
  type JsonObject,
  type ManagedFieldsEntry,
} from '@binnacle/api-objects';
import { messageNamed, type ResourceDefinition, type TypeRegistry } from '@binnacle/api-types';
import {
  apply,
  conflictError,
  createEmptyObject,
  decodeManagedFields,
  encodeManagedFields,
  fieldElement,
  fieldSetOfPaths,
  type ManagedFields,
  managersFromScale,
  managersOfScale,
  type Path,
  schemaFromMessage,
  update,
} from '@binnacle/server-side-apply';
import type { ApiRequest } from '../request/api-request.ts';
import { findAlias } from '../request/found-alias.ts';
import { createRecording, type RecordingServices } from '../write/managed-fields/record-write.ts';
import { pathNames } from './scale-object.ts';

/** The outcome of a write to a Scale, and the managers that the object behind it records. */
interface ManagedScale {
  /** The Scale, which may hold nulls. */
  readonly scale: JsonObject;
  /** The entries of metadata.managedFields of the object. */
  readonly managedFields: readonly ManagedFieldsEntry[];
}

/** A write of a Scale: how it was, and the object that it is of. */
export interface ScaleChange {
  readonly before: ApiObject;
  readonly parent: ApiObject;
}

const message = messageNamed('autoscaling.v1.Scale');
const schema = schemaFromMessage(message);
/** Nothing but the number is carried over to the object. */
const resetFields = fieldSetOfPaths([[fieldElement('metadata')], [fieldElement('status')]]);

/** Records an update of a Scale: its writer manages the replicas of the object, through the subresource. */
export function recordScaleUpdate(
  request: ApiRequest,
  services: RecordingServices,
  { before, parent, next }: ScaleChange & { readonly next: ApiObject },
): readonly ManagedFieldsEntry[] {
  const managed = decodeManagedFields(parent.metadata.managedFields, { stored: true });
  if (managed.managers.size === 0) return [];
  const context = createContext(request, services);
  const updated = update({
    ...context.recording,
    live: before,
    next,
    managed: managersOfScale(managed, context.paths),
  });
  return entriesFrom(managed, updated, context);
}

/** Applies a configuration to a Scale; throws Conflict when others manage the number and it is not forced. */
export function applyScale(
  request: ApiRequest,
  services: RecordingServices,
  change: ScaleChange & { readonly applied: JsonObject; readonly force: boolean },
): ManagedScale {
  const { before, parent, applied, force } = change;
  const managed = decodeManagedFields(parent.metadata.managedFields, { stored: true });
  const context = createContext(request, services);
  const result = apply({
    ...context.recording,
    live: before,
    applied,
    force,
    empty: createEmptyObject(message),
    managed: managersOfScale(managed, context.paths),
    tracked: managed.managers.size > 0,
  });
  if (result.kind === 'conflicts') throw conflictError(result.conflicts);
  return { scale: result.object, managedFields: entriesFrom(managed, result.managed, context) };
}

type Context = ReturnType<typeof createContext>;

function createContext(request: ApiRequest, services: RecordingServices) {
  const { manager, now, apiVersion: kind } = createRecording(request, services);
  const apiVersion = 'autoscaling/v1';
  return {
    recording: { manager, now, apiVersion, subresource: request.info.subresource, schema, resetFields },
    kind,
    paths: replicasPaths(request.definition, services.registry),
  };
}

function entriesFrom(
  managed: ManagedFields,
  scale: ManagedFields,
  { kind, paths }: Context,
): ManagedFieldsEntry[] {
  return encodeManagedFields(managersFromScale(managed, scale, { apiVersion: kind, paths }));
}

/**
 * The path of the number, by the versions in which the resource is served, and by their names with an alias of the
 * group.
 */
function replicasPaths(definition: ResourceDefinition, registry: TypeRegistry): Map<string, Path> {
  const paths = new Map<string, Path>();
  for (const version of registry.resources) {
    if (version.storagePrefix !== definition.storagePrefix) continue;
    const scale = version.subresources.get('scale')?.scale;
    if (scale === undefined) continue;
    const path = pathNames(scale.specReplicasPath).map(fieldElement);
    paths.set(formatApiVersion(version), path);
    const alias = findAlias(version.group, registry);
    if (alias !== undefined) paths.set(formatApiVersion({ group: alias, version: version.version }), path);
  }
  return paths;
}
