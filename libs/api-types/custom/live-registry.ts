import { listMessageName } from '../definitions/list-message-name.ts';
import type { MessageType } from '../definitions/message-type.ts';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import type { GroupDefinition, TypeRegistry } from '../definitions/type-registry.ts';
import { isBuiltInGroup } from '../group-names/built-in-groups.ts';
import { compareResources, registryFrom } from '../registry/registry.ts';
import { customListMessage } from './custom-message.ts';

/** A registry whose types change while the server runs: those built in stay, those of definitions come and go. */
export interface LiveTypeRegistry extends TypeRegistry {
  /** The types as they are now; another object after each change, for what is made of all of them. */
  readonly current: TypeRegistry;
  /** The types that were never added. */
  readonly builtIn: TypeRegistry;
  /** The groups that types were added to, by name. */
  addedGroups(): readonly string[];
  /** The types that were added to a group, alone; another object after each change of one of them. */
  addedTo(group: string): TypeRegistry;
  /** Puts the types of a source in the place of those that it had before; without any, the source has none. */
  put(source: string, types: readonly ResourceDefinition[]): void;
}

/** Creates a registry on top of another one, whose types go before all that is added. */
export function createLiveTypeRegistry(builtIn: TypeRegistry): LiveTypeRegistry {
  return new LiveTypes(builtIn);
}

class LiveTypes implements LiveTypeRegistry {
  readonly builtIn: TypeRegistry;
  readonly #bySource = new Map<string, readonly ResourceDefinition[]>();
  readonly #byPlural = new Map<string, ResourceDefinition>();
  readonly #byKind = new Map<string, ResourceDefinition>();
  /** How many added types each group has. */
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

  /** A group that a definition has under just that name is no alias; the alias of a built-in group always is one. */
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

  /** A registry of added types, beside others, with the messages that are made for them. */
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
