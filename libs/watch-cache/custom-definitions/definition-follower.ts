import { groups } from '@binnacle/api-names';
import {
  type CustomDefinition,
  customDefinitionFrom,
  customTypesFrom,
  type LiveTypeRegistry,
  type ResourceDefinition,
} from '@binnacle/api-types';
import { unlessAborted } from '@binnacle/event-loop';
import { type CallContext, deadlineIn, millisecondsUntil } from '@binnacle/proto';
import type { CachedObject, TypeCache, WatchCache } from '../contract/contract.ts';
import { silentLog, type WatchCacheLog } from '../contract/environment.ts';

/** Options of a definition follower. */
interface DefinitionFollowerOptions {
  /** The registry that receives the types. */
  readonly registry: LiveTypeRegistry;
  /** The cache that holds CustomResourceDefinitions. */
  readonly watchCache: WatchCache;
  /** Whether the cache also holds the objects of each type. */
  readonly holdsObjects: boolean;
  /** Maximum number of served definitions; default: 2,000. */
  readonly maxDefinitions?: number;
  /**
   * Waits until a replica contains every write acknowledged before the call, so that the watches of a removed type receive the
   * deletion of each of its objects. If it rejects, the watches end without waiting. Default: no wait.
   */
  readonly catchUp?: (replica: TypeCache) => Promise<void>;
  /** Called for a type that is no longer served, after the cache has removed its objects and ended its watches. */
  readonly onGone?: (type: ResourceDefinition) => void;
  readonly log?: WatchCacheLog;
}

/**
 * Keeps the types of a registry in line with the custom resource definitions.
 *
 * A type is served once its definition is established and, if the cache holds objects, once its objects are listed. When a
 * definition changes in a way that affects its types, the follower replaces the types and ends the watches of their objects, so
 * that clients resume them. Watches continue while a definition is being deleted; when the definition is gone, its types are
 * removed and, after the deletion of the last object, their watches end.
 */
interface DefinitionFollower extends Disposable {
  /** Starts following; resolves once all definitions in the cache are followed. The cache must be ready. Called once. */
  start(): Promise<void>;
  readonly isStarted: boolean;
  /** Resolves once all definitions in the cache are followed. Rejects when the call's signal aborts. */
  settled(call: CallContext): Promise<void>;
  /** Returns the cached definition of a custom type. */
  findDefinition(type: ResourceDefinition): CachedObject | undefined;
  /** Replica of the definitions. */
  readonly definitions: TypeCache;
}

/** Creates a definition follower. Throws when the registry or the cache does not hold CustomResourceDefinitions. */
export function createDefinitionFollower(options: DefinitionFollowerOptions): DefinitionFollower {
  const type = options.registry.resource(groups.apiextensions, 'v1', 'customresourcedefinitions');
  if (type === undefined) throw new Error('the registry has no custom resource definitions');
  return new Follower(options, options.watchCache.type(type));
}

/** State of a followed definition. */
interface Followed {
  /** The part of the definition that determines its types, as JSON. */
  readonly essence: string;
  /** The part of the definition that determines the watch events of its objects, as JSON. */
  readonly shown: string;
  readonly types: readonly ResourceDefinition[];
  /** The definition of the stored version, if the cache holds the objects. */
  readonly held: ResourceDefinition | undefined;
  isListed: boolean;
}

const nothing: Followed = { essence: '', shown: '', types: [], held: undefined, isListed: false };

class Follower implements DefinitionFollower {
  readonly definitions: TypeCache;
  readonly #options: DefinitionFollowerOptions;
  readonly #maxDefinitions: number;
  readonly #followed = new Map<string, Followed>();
  readonly #pending = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #unsubscribe: (() => void) | undefined;
  #isStarted = false;

  constructor(options: DefinitionFollowerOptions, definitions: TypeCache) {
    this.#options = options;
    this.#maxDefinitions = options.maxDefinitions ?? 2000;
    this.definitions = definitions;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  async start(): Promise<void> {
    this.#unsubscribe = this.definitions.subscribe(({ type, object }) => {
      this.#follow(object.name, type === 'DELETED' ? undefined : object);
    });
    for (const object of this.definitions.list({}).objects) this.#follow(object.name, object);
    while (this.#pending.size > 0) await Promise.all(this.#pending);
    this.#isStarted = true;
  }

  async settled({ signal }: CallContext): Promise<void> {
    if (this.#pending.size === 0) return;
    await unlessAborted(Promise.all(this.#pending), signal);
  }

  findDefinition({ resource, group }: ResourceDefinition): CachedObject | undefined {
    return this.definitions.get('', `${resource}.${group}`);
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
    this.#unsubscribe?.();
  }

  #follow(name: string, object: CachedObject | undefined): void {
    const before = this.#followed.get(name) ?? nothing;
    const definition = object && customDefinitionFrom(object.parse());
    const essence = definition === undefined ? '' : relevantText(definition);
    if (essence === before.essence && object !== undefined) return;
    const types = definition === undefined ? [] : this.#createTypes(definition);
    if (definition === undefined || types.length === 0)
      this.#leave(name, before, object && { ...nothing, essence });
    else this.#serve(name, before, { essence, shown: textWithoutDeletion(definition), types });
  }

  #createTypes(definition: CustomDefinition): readonly ResourceDefinition[] {
    const log = this.#options.log ?? silentLog;
    const { name } = definition;
    if (!this.#followed.has(name) && this.#followed.size >= this.#maxDefinitions) {
      log.error('a definition is not served: there are too many', { name, most: this.#maxDefinitions });
      return [];
    }
    try {
      return customTypesFrom(definition);
    } catch (thrown) {
      log.error('a definition is not served', { name, error: String(thrown) });
      return [];
    }
  }

  #leave(name: string, before: Followed, after: Followed | undefined): void {
    if (after === undefined) this.#followed.delete(name);
    else this.#followed.set(name, after);
    this.#options.registry.put(name, []);
    this.#track(this.#letGo(name, before));
  }

  async #letGo(name: string, { held, types }: Followed): Promise<void> {
    const { watchCache, catchUp } = this.#options;
    const replica = held && watchCache.find(held);
    if (held !== undefined && replica !== undefined) {
      // If `catchUp` fails, the watches end without the last deletions.
      await catchUp?.(replica).catch(() => {});
      // A new definition of the same name may have been created meanwhile and uses the replica.
      if (this.#followed.get(name)?.held?.storagePrefix === held.storagePrefix) watchCache.endWatches(held);
      else await watchCache.remove(held);
    }
    this.#tellGone(types);
  }

  #tellGone(types: readonly ResourceDefinition[]): void {
    const { registry, onGone } = this.#options;
    for (const type of types)
      if (registry.resource(type.group, type.version, type.resource) === undefined) onGone?.(type);
  }

  #serve(
    name: string,
    before: Followed,
    { essence, shown, types }: Pick<Followed, 'essence' | 'shown' | 'types'>,
  ): void {
    const { holdsObjects, registry, watchCache } = this.#options;
    const [first] = types;
    const held = holdsObjects ? (first?.storage ?? first) : undefined;
    const isListed = before.isListed || held === undefined;
    const after: Followed = { essence, shown, types, held, isListed };
    this.#followed.set(name, after);
    if (after.isListed) {
      registry.put(name, types);
      this.#tellGone(before.types);
      if (held !== undefined && shown !== before.shown) watchCache.endWatches(held);
    } else if (held !== undefined) {
      this.#track(this.#serveOnceListed(name, watchCache.add(held)));
    }
  }

  async #serveOnceListed(name: string, replica: TypeCache): Promise<void> {
    await untilListed(replica, this.#stop.signal);
    const now = this.#followed.get(name);
    // The definition may have changed meanwhile (its latest types are served), or been deleted and possibly created again.
    if (replica.revision < 1 || now?.held === undefined || now.isListed) return;
    if (this.#options.watchCache.type(now.held) !== replica) return;
    now.isListed = true;
    this.#options.registry.put(name, now.types);
  }

  #track(work: Promise<void>): void {
    const tracked = work.catch(thrown => {
      const log = this.#options.log ?? silentLog;
      if (!this.#stop.signal.aborted) log.error('a definition is not followed', { error: String(thrown) });
    });
    this.#pending.add(tracked);
    void tracked.then(() => this.#pending.delete(tracked));
  }
}

/** Types depend on the accepted names of a definition, not on the requested ones. */
function relevantText(definition: CustomDefinition): string {
  const { names: _, ...rest } = definition;
  return JSON.stringify(rest);
}

/** The deletion of a definition does not change the representation of its objects. */
function textWithoutDeletion(definition: CustomDefinition): string {
  return relevantText({ ...definition, terminating: false });
}

const listedTimeoutMs = 60_000;

/** Resolves once a replica is listed, once the cache removes it, or when the signal aborts. */
async function untilListed(replica: TypeCache, signal: AbortSignal): Promise<void> {
  // Revisions start at 1: an unlisted replica is at 0.
  while (replica.revision < 1 && !signal.aborted) {
    const call = {
      signal: AbortSignal.any([signal, AbortSignal.timeout(listedTimeoutMs)]),
      deadline: deadlineIn(listedTimeoutMs),
    };
    try {
      await replica.waitFor(1, call);
    } catch {
      // A wait is refused before its deadline only when the replica gets no more changes.
      if (!call.signal.aborted && millisecondsUntil(call.deadline) > 0) return;
    }
  }
}
