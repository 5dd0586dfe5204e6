import { listMessageName } from '../definitions/list-message-name.ts';
import type { MessageType } from '../definitions/message-type.ts';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import type { GroupDefinition, TypeRegistry } from '../definitions/type-registry.ts';
import { isBuiltInGroup } from '../group-names/built-in-groups.ts';
import { compareResources, registryFrom } from '../registry/registry.ts';
import { customListMessage } from './custom-message.ts';

/** A registry whose types change at run time: built-in types are fixed, types of definitions are added and removed. */
export interface LiveTypeRegistry extends TypeRegistry {
  /** The current types; a new object after each change, so that derived data can be cached by it. */
  readonly current: TypeRegistry;
  /** The built-in types. */
  readonly builtIn: TypeRegistry;
  /** The names of groups with added types. */
  addedGroups(): readonly string[];
  /** The types added to a group; a new object after each change of them. */
  addedTo(group: string): TypeRegistry;
  /** Replaces the types of a source; an empty list removes the source. */
  put(source: string, types: readonly ResourceDefinition[]): void;
}

/** Creates a registry on top of another one, whose types take precedence. */
export function createLiveTypeRegistry(builtIn: TypeRegistry): LiveTypeRegistry {
  return new LiveTypes(builtIn);
}

class LiveTypes implements LiveTypeRegistry {
  readonly builtIn: TypeRegistry;
  readonly #bySource = new Map<string, readonly ResourceDefinition[]>();
  readonly #byPlural = new Map<string, ResourceDefinition>();
  readonly #byKind = new Map<string, ResourceDefinition>();
  /** Number of added types by group. */
  readonly #groups = new Map<string, number>();
  readonly #byGroup = new Map<string, TypeRegistry>();
  #current: TypeRegistry | undefined;

  constructor(builtIn: TypeRegistry) {
    this.builtIn = builtIn;
  }

  get current(): TypeRegistry {
    this.#current ??= this.#bySource.size === 0 ? this.builtIn : this.#assemble();
    return this.#current;
  }

  get resources(): readonly ResourceDefinition[] {
    return this.current.resources;
  }

  resource(group: string, version: string, plural: string): ResourceDefinition | undefined {
    return (
      this.builtIn.resource(group, version, plural) ?? this.#byPlural.get(`${group}/${version}/${plural}`)
    );
  }

  kind(group: string, version: string, kind: string): ResourceDefinition | undefined {
    return this.builtIn.kind(group, version, kind) ?? this.#byKind.get(`${group}/${version}/${kind}`);
  }

  groups(): readonly GroupDefinition[] {
    return this.current.groups();
  }

  message(fullName: string): MessageType | undefined {
    return this.current.message(fullName);
  }

  /** A group name used by a definition is not an alias, except for aliases of built-in groups. */
  canonicalGroup(group: string): string {
    return this.#groups.has(group) && !isBuiltInGroup(group) ? group : this.builtIn.canonicalGroup(group);
  }

  addedGroups(): readonly string[] {
    return [...this.#groups.keys()].sort();
  }

  addedTo(group: string): TypeRegistry {
    let registry = this.#byGroup.get(group);
    if (registry === undefined) {
      registry = this.#withMessages([...this.#byPlural.values()].filter(type => type.group === group));
      this.#byGroup.set(group, registry);
    }
    return registry;
  }

  put(source: string, types: readonly ResourceDefinition[]): void {
    const before = this.#bySource.get(source) ?? [];
    if (before.length === 0 && types.length === 0) return;
    for (const type of before) {
      this.#byPlural.delete(`${type.group}/${type.version}/${type.resource}`);
      this.#byKind.delete(`${type.group}/${type.version}/${type.kind}`);
      this.#count(type.group, -1);
    }
    for (const type of types) {
      this.#byPlural.set(`${type.group}/${type.version}/${type.resource}`, type);
      this.#byKind.set(`${type.group}/${type.version}/${type.kind}`, type);
      this.#count(type.group, 1);
    }
    if (types.length === 0) this.#bySource.delete(source);
    else this.#bySource.set(source, types);
    this.#current = undefined;
  }

  #count(group: string, change: number): void {
    this.#byGroup.delete(group);
    const count = (this.#groups.get(group) ?? 0) + change;
    if (count === 0) this.#groups.delete(group);
    else this.#groups.set(group, count);
  }

  #assemble(): TypeRegistry {
    const hidden = ({ group, version, resource, kind }: ResourceDefinition) =>
      this.builtIn.resource(group, version, resource) ?? this.builtIn.kind(group, version, kind);
    const added = [...this.#byPlural.values()].filter(type => hidden(type) === undefined);
    return this.#withMessages(added, this.builtIn.resources);
  }

  /** Creates a registry of added and other types, with the messages of the added ones. */
  #withMessages(
    added: readonly ResourceDefinition[],
    others: readonly ResourceDefinition[] = [],
  ): TypeRegistry {
    const messages = new Map<string, MessageType>();
    for (const type of added) {
      const { message } = type;
      messages.set(message.fullName, message);
      const list = customListMessage(listMessageName(type), message);
      messages.set(list.fullName, list);
    }
    const resources = [...others, ...added].sort(compareResources);
    return registryFrom(resources, name => this.builtIn.message(name) ?? messages.get(name));
  }
}
