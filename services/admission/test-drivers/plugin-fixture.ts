import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { createLiveTypeRegistry, createTypeRegistry, objectKey } from '@binnacle/api-types';
import { settingsFrom } from '@binnacle/flags';
import { noDeadline, type Operation, type UserInfo } from '@binnacle/proto';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { silentLogger } from '@binnacle/telemetry';
import type { CacheQuery, TypeCache } from '@binnacle/watch-cache';
import { createAdmissionMetrics } from '../chain/admission-metrics.ts';
import type { AdmissionPlugin } from '../chain/plugin.ts';
import { pluginOptionFlags } from '../chain/plugin-flags.ts';
import type { PluginEnvironment, PluginRegistration } from '../chain/plugin-registration.ts';
import { type PluginSettings, pluginSettingsFrom } from '../chain/plugin-settings.ts';
import type { Review } from '../chain/review.ts';
import { ownNames } from '../chain/shown-names.ts';
import type { ObjectReader, ObjectSource, SeenObject, TypeName } from '../sources/objects.ts';

/** The settings without flags. */
export const defaultPluginSettings: PluginSettings = pluginSettingsFrom(settingsFrom(pluginOptionFlags));

const registry = createLiveTypeRegistry(createTypeRegistry({ everyVersion: true }));

/** The parts of a review that a test sets; the others are those of a creation by alice. */
export interface ReviewParts {
  readonly operation?: Operation;
  /** `<group>/<version>/<resource>`, with an empty group for the core. */
  readonly type: string;
  /** Default: the group of the type. */
  readonly requestGroup?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly user?: Partial<UserInfo>;
  readonly object?: JsonObject;
  readonly oldObject?: JsonObject;
  readonly dryRun?: boolean;
}

/** A review for tests of plugins. Its objects are frozen: they are shared, and a plugin that changes one of them fails. */
export function createReview(parts: ReviewParts): Review {
  const { operation = 'CREATE', object, oldObject, namespace = '', subresource = '', dryRun = false } = parts;
  const definition = getDefinition(parts.type);
  const { group, version, kind } = definition;
  const whole = object && objectFrom(object, namespace);
  return {
    operation,
    definition,
    requestGroup: parts.requestGroup ?? group,
    kind: { group, version, kind },
    subresource,
    namespace,
    name: parts.name ?? whole?.metadata.name ?? '',
    user: { username: 'alice', uid: '', groups: [], extra: {}, ...parts.user },
    object: whole && deepFrozen(whole),
    ownsObject: false,
    isChanged: false,
    oldObject: oldObject && deepFrozen(objectFrom(oldObject, namespace)),
    options: '',
    dryRun,
    call: { deadline: noDeadline, signal: new AbortController().signal },
    warnings: [],
    auditAnnotations: {},
    webhookSeconds: 0,
    preconditions: [],
    jointWrites: [],
    isRetry: false,
    accessDemands: [],
    bytes: 0,
    isReinvocation: false,
    shouldReinvoke: false,
  };
}

/** A value that cannot be changed, in full depth. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) deepFrozen(member);
  return Object.freeze(value);
}

/** Objects by their types, as `ReviewParts.type` names them. */
type ObjectsByType = Readonly<Record<string, readonly JsonObject[]>>;

/**
 * A plugin for tests: made from its registration, with the objects of a store. A cache has the objects of `cached`, at a
 * revision that is their number.
 */
export function pluginFrom(
  registration: PluginRegistration,
  parts: {
    readonly objects?: ObjectsByType;
    readonly cached?: ObjectsByType;
    /** Whether the caches have all objects already; default: false, a plugin that asks waits for a turn. */
    readonly isReady?: boolean;
    readonly configuration?: JsonObject;
    readonly clock?: () => number;
  } = {},
): AdmissionPlugin {
  const { objects = {}, cached, isReady = false, configuration, clock = Date.now } = parts;
  const environment: Partial<PluginEnvironment> = {
    objects: { ...createSource(objects, cached), ready: () => (isReady ? undefined : Promise.resolve()) },
    registry,
    configuration: configuration && { document: configuration, directory: '/', names: ownNames },
    settings: defaultPluginSettings,
    metrics: createAdmissionMetrics(undefined),
    log: silentLogger,
    clock,
  };
  // Tests give what the plugin at hand uses.
  return registration.create(environment as PluginEnvironment);
}

function getDefinition(type: string) {
  const [group = '', version = '', resource = ''] = type.split('/');
  const definition = registry.resource(group, version, resource);
  if (definition === undefined) throw new Error(`there is no type ${type}`);
  return definition;
}

function objectFrom(object: JsonObject, namespace: string): ApiObject {
  const copy = structuredClone(object);
  const metadata = {
    ...(namespace !== '' && { namespace }),
    ...(copy['metadata'] as JsonObject | undefined),
  };
  return { apiVersion: 'v1', kind: 'Any', ...copy, metadata } as ApiObject; // As the gateway sends them.
}

function createSource(
  objects: ObjectsByType,
  cached: ObjectsByType | undefined,
): Pick<ObjectSource, 'reader' | 'cache'> {
  return {
    reader: name => createReader(name, objects),
    cache(name) {
      if (cached === undefined) throw new Error('there is no cache in this test');
      return createCache(name, cached);
    },
  };
}

/** The part of a cache that plugins read. */
function createCache(name: TypeName, objects: ObjectsByType): TypeCache {
  const all = seenObjects(name, objects);
  const cache: Pick<TypeCache, 'revision' | 'size'> & { list(query: CacheQuery): unknown } = {
    revision: all.length,
    size: all.length,
    list: ({ namespace }) => ({ objects: all.filter(seen => seen.namespace === namespace) }),
  };
  return cache as TypeCache; // See above.
}

function seenObjects({ group, version, resource }: TypeName, objects: ObjectsByType): SeenObject[] {
  const type = `${group}/${version}/${resource}`;
  const definition = getDefinition(type);
  return (objects[type] ?? []).map((object, index) => {
    const parse = () => objectFrom(object, '');
    const { name = '', namespace = '' } = parse().metadata;
    const seen: SeenObject = {
      key: storageKeyFrom(objectKey(definition, namespace, name)),
      namespace,
      name,
      revision: index + 1,
      parse,
      derived: (_slot, compute) => compute(seen),
    };
    return seen;
  });
}

function createReader(name: TypeName, objects: ObjectsByType): ObjectReader {
  const all = seenObjects(name, objects);
  const find: ObjectReader['find'] = async (namespace, name) =>
    all.find(seen => seen.namespace === namespace && seen.name === name);
  const list: ObjectReader['list'] = async namespace =>
    all.filter(seen => namespace === '' || seen.namespace === namespace);
  const definition = getDefinition(`${name.group}/${name.version}/${name.resource}`);
  return { definition, find, findCurrent: find, list, listCurrent: list };
}
