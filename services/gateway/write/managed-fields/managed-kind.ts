import {
  type ApiObject,
  copyJson,
  formatApiVersion,
  isJsonObject,
  type JsonObject,
  splitApiVersion,
} from '@binnacle/api-objects';
import type { MessageType, ResourceDefinition, TypeRegistry } from '@binnacle/api-types';
import { ConversionFailed, isWebhookConverted, type WebhookConverted } from '@binnacle/conversion-webhooks';
import {
  type Converting,
  convertedInTime,
  createEmptyObject,
  emptyFieldSet,
  type FieldSet,
  fieldElement,
  fieldSetOfPaths,
  type Path,
  type ServedVersions,
  schemaFromMessage,
  type TypedSchema,
  type WantedConversion,
} from '@binnacle/server-side-apply';
import { StatusError } from '@binnacle/status-errors';
import type { ApiRequest } from '../../request/api-request.ts';
import { yieldBetweenSteps } from '../../request/yield-between-steps.ts';
import type { WebhookConversions } from '../../versions/webhook-conversions.ts';

/** A resource in one version, as the record of field managers sees it. */
interface ManagedKind {
  /** With the group's own name. */
  readonly apiVersion: string;
  readonly schema: TypedSchema;
  /** The object before anything is set. */
  readonly empty: JsonObject;
  /** By subresource, '' for the resource itself. */
  readonly resetFields: (subresource: string) => FieldSet;
}

const managedKinds = new WeakMap<ResourceDefinition, ManagedKind>();

/** The kind of a resource for the record of field managers, made once. */
export function findManagedKind(definition: ResourceDefinition): ManagedKind {
  let kind = managedKinds.get(definition);
  if (kind === undefined) {
    kind = createManagedKind(definition);
    managedKinds.set(definition, kind);
  }
  return kind;
}

function createManagedKind(definition: ResourceDefinition): ManagedKind {
  const sets = new Map<string, FieldSet>();
  return {
    apiVersion: formatApiVersion(definition),
    schema: schemaFromMessage(definition.message),
    empty: createEmptyObject(definition.message),
    resetFields(subresource) {
      let set = sets.get(subresource);
      if (set === undefined) {
        set = findResetFields(definition, subresource);
        sets.set(subresource, set);
      }
      return set;
    },
  };
}

/**
 * The fields that a write through a subresource cannot set, so that the write does not manage them: the status through
 * the resource itself, everything but status and metadata through `status`.
 */
export function findResetFields(definition: ResourceDefinition, subresource: string): FieldSet {
  const { message, subresources, rules } = definition;
  if (!subresources.has('status')) return emptyFieldSet;
  if (subresource === '') return fieldSetOfPaths([path('status')]);
  const ofKind = (rules.resetFields?.(subresource, message) ?? []).map(names => path(...names));
  return fieldSetOfPaths(subresource === 'status' ? [...findSpecification(message), ...ofKind] : ofKind);
}

function findSpecification({ fields, structure }: MessageType): readonly Path[] {
  const properties = structure?.schema['properties'];
  const names = [...fields.keys(), ...(isJsonObject(properties) ? Object.keys(properties) : [])];
  return names.filter(name => name !== 'metadata' && name !== 'status').map(name => path(name));
}

function path(...names: readonly string[]): Path {
  return names.map(name => fieldElement(name));
}

/**
 * The versions in which the objects of the request's resource are served, for managers that wrote in another version
 * than that of the request; versions that are no longer served are not among them.
 */
export function findKindVersions({ definition, info }: ApiRequest, registry: TypeRegistry): ServedVersions {
  return {
    view(apiVersion) {
      const found = servedVersion(definition, registry, apiVersion);
      if (found === undefined) return undefined;
      const { apiVersion: version, schema, resetFields } = findManagedKind(found);
      return { schema, resetFields: resetFields(info.subresource), version };
    },
  };
}

/** The definition of a resource in another version, whose group may have an alias; undefined when it is not served in that one. */
function servedVersion(
  definition: ResourceDefinition,
  registry: TypeRegistry,
  apiVersion: string,
): ResourceDefinition | undefined {
  // A client can send any text in an entry; text that is not a version names none.
  const { group, version } = splitApiVersion(apiVersion);
  const found = registry.kind(registry.canonicalGroup(group), version, definition.kind);
  return found?.storagePrefix === definition.storagePrefix ? found : undefined;
}

/** The services that convert objects between versions. */
export interface ConversionServices {
  readonly conversions: WebhookConversions;
  readonly registry: TypeRegistry;
}

/**
 * Objects that webhooks converted for a request, by the version and the object: attempts and steps of one write need
 * the same ones.
 */
const convertedFor = new WeakMap<ApiRequest, Map<string, JsonObject>>();

/**
 * Does work on managed fields that may need an object in other versions of its resource, which a webhook may have to
 * convert. Throws a StatusError when that fails; isConversionFailure tells it from others. With `metadataAlone` no
 * webhook is called: the work gets only the metadata of objects that a webhook would have to convert.
 */
export function withConversions<T>(
  request: ApiRequest,
  services: ConversionServices,
  { work, metadataAlone = false }: { readonly work: Converting<T>; readonly metadataAlone?: boolean },
): T | Promise<T> {
  const convert = async ({ object, from, to }: WantedConversion) => {
    const source = servedVersion(request.definition, services.registry, from);
    const target = servedVersion(request.definition, services.registry, to);
    if (source === undefined || target === undefined || !isJsonObject(object)) return object;
    if (!isWebhookConverted(target)) return converted(object, source, target);
    const { metadata = {} } = object;
    if (metadataAlone) return { apiVersion: formatApiVersion(target), kind: target.kind, metadata };
    const whole = { ...object, apiVersion: formatApiVersion(source), kind: source.kind };
    return await convertedByWebhook(request, services, { object: whole, target });
  };
  return convertedInTime(work, { convert, yield: () => yieldBetweenSteps(request) });
}

/** Whether a thrown error says that a webhook could not convert an object. */
export function isConversionFailure(thrown: unknown): boolean {
  return thrown instanceof StatusError && thrown.cause instanceof ConversionFailed;
}

async function convertedByWebhook(
  request: ApiRequest,
  { conversions }: ConversionServices,
  { object, target }: { readonly object: JsonObject; readonly target: WebhookConverted },
): Promise<JsonObject> {
  const made = convertedFor.get(request) ?? new Map<string, JsonObject>();
  convertedFor.set(request, made);
  const key = `${target.version} ${JSON.stringify(object)}`;
  const before = made.get(key);
  if (before !== undefined) return before;
  const after = await conversions.convert(target, object, request.call);
  made.set(key, after);
  return after;
}

/** A copy of an object, parts of which may be missing, in another version of its resource. */
function converted(object: JsonObject, from: ResourceDefinition, to: ResourceDefinition): JsonObject {
  const copy = copyJson(object) as ApiObject; // conversions look for no more than the metadata
  copy.metadata ??= {};
  if (from.storage !== undefined) from.rules.conversion?.toStorage(copy);
  if (to.storage !== undefined) to.rules.conversion?.fromStorage(copy);
  copy.apiVersion = formatApiVersion(to);
  copy.kind = to.kind;
  return copy;
}
