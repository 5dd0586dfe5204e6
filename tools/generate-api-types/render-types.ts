import { posix } from 'node:path';
import {
  createEmptyValue,
  type FieldDefinition,
  type FieldType,
  type MessageType,
  type ScalarType,
} from '@binnacle/api-types';

/** The sources of rendered types. */
interface TypeSources {
  /** Messages by full name. */
  readonly messages: ReadonlyMap<string, MessageType>;
  /** The module that defines the type of a message by its full name: a path without suffix, or a package. */
  readonly moduleOf: ReadonlyMap<string, string>;
}

/** Types that libs/api-objects defines, because everything handles them, objects of no known kind included. */
const typesOfApiObjects = new Set(['ObjectMeta', 'ListMeta', 'OwnerReference', 'ManagedFieldsEntry']);
const apiObjects = '@binnacle/api-objects';
const metaPackage = 'meta.v1';

const heading = '// Written by `make generate` from the proto files. Change those.\n';

/** The TypeScript module `name` with a type for each of the messages, which are those of one proto file. */
export function renderTypes(name: string, messages: readonly MessageType[], sources: TypeSources): string {
  const module = new ModuleWriter(name, sources);
  const types = messages.filter(isDefinedHere).map(message => module.typeOf(message));
  return [heading + module.imports(), ...types].join('\n');
}

/** Whether a message has a type of its own in the module of its proto file. */
export function isDefinedHere(message: MessageType): boolean {
  return !isOfApiObjects(message.fullName);
}

function isOfApiObjects(fullName: string): boolean {
  const dot = fullName.lastIndexOf('.');
  return fullName.slice(0, dot) === metaPackage && typesOfApiObjects.has(fullName.slice(dot + 1));
}

const scalarTypes: Readonly<Record<Exclude<ScalarType, 'json'>, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'number | bigint',
  double: 'number | bigint',
  bytes: 'string',
  time: 'string',
  microTime: 'string',
  duration: 'string',
  quantity: 'string',
  intOrString: 'number | string',
};

/** The forms of texts, which the description of a type does not give. */
const textForms: Partial<Record<ScalarType, string>> = {
  bytes: 'Base64.',
  time: 'RFC 3339, in whole seconds.',
  microTime: 'RFC 3339, in microseconds.',
};

class ModuleWriter {
  readonly #name: string;
  readonly #sources: TypeSources;
  /** Names by the module that they are imported from, each with the name that it has here. */
  readonly #imports = new Map<string, Map<string, string>>();

  constructor(name: string, sources: TypeSources) {
    this.#name = name;
    this.#sources = sources;
  }

  imports(): string {
    const modules = [...this.#imports].sort(([a], [b]) => (a < b ? -1 : 1));
    const lines = modules.map(([module, names]) => {
      const list = [...names].map(([name, local]) => (name === local ? name : `${name} as ${local}`)).sort();
      return `import type { ${list.join(', ')} } from '${module}';\n`;
    });
    return lines.length === 0 ? '' : `\n${lines.join('')}`;
  }

  typeOf(message: MessageType): string {
    const members = [...message.fields.values()].map(field => this.#member(field, message));
    return `${comment(message.description)}export type ${message.name} = {\n${this.#typeMeta(message)}${members.join('')}};\n`;
  }

  #typeMeta(message: MessageType): string {
    if (!message.typeMeta) return '';
    const mark = isObject(message) ? '' : '?';
    return `  apiVersion${mark}: string;\n  kind${mark}: string;\n`;
  }

  #member(field: FieldDefinition, message: MessageType): string {
    const mark = field.name === 'metadata' && isObject(message) ? '' : '?';
    const name = /^[A-Za-z_$][\w$]*$/.test(field.name) ? field.name : `'${field.name}'`;
    const form = field.type.kind === 'scalar' ? textForms[field.type.scalar] : undefined;
    const description = form === undefined ? field.description : `${field.description} ${form}`;
    const type = this.#fieldType(field.type, field.enumValues);
    // Defaulting puts null where JSON always has the field and nothing was set.
    const empty = field.default === undefined && createEmptyValue(field) === null ? ' | null' : '';
    return `${comment(description, '  ')}  ${name}${mark}: ${type}${empty};\n`;
  }

  #fieldType(type: FieldType, enumValues?: readonly string[]): string {
    switch (type.kind) {
      case 'scalar':
        return this.#scalar(type, enumValues);
      case 'message':
        return this.#reference(type.message);
      case 'list': {
        const element = this.#fieldType(type.element, enumValues);
        return element.includes(' | ') ? `(${element})[]` : `${element}[]`;
      }
      case 'map':
        return `{ [key: string]: ${this.#fieldType(type.value, enumValues)} }`;
    }
  }

  #scalar(type: FieldType & { kind: 'scalar' }, enumValues: readonly string[] | undefined): string {
    if (type.alternatives !== undefined) {
      const types = [...type.alternatives.fields.values()].map(field => this.#fieldType(field.type));
      return [...new Set(types)].join(' | ');
    }
    if (type.scalar === 'json') return this.#import(apiObjects, 'JsonValue');
    if (type.scalar === 'string' && enumValues !== undefined)
      return enumValues.map(value => `'${value}'`).join(' | ');
    return scalarTypes[type.scalar];
  }

  #reference({ name, fullName }: MessageType): string {
    if (isOfApiObjects(fullName)) return this.#import(apiObjects, name);
    const module = this.#sources.moduleOf.get(fullName);
    if (module === undefined) throw new Error(`no module has a type for ${fullName}`);
    if (module === this.#name) return name;
    if (module.startsWith('@')) return this.#import(module, name, fullName);
    const path = posix.relative(posix.dirname(this.#name), module);
    return this.#import(`${path.startsWith('.') ? path : `./${path}`}.ts`, name, fullName);
  }

  /** The name by which the module knows a type of another one; with the group and version where it has one of that name. */
  #import(module: string, name: string, fullName?: string): string {
    const names = this.#imports.get(module) ?? new Map<string, string>();
    this.#imports.set(module, names);
    const existing = names.get(name);
    if (existing !== undefined) return existing;
    const isTaken = [...this.#sources.moduleOf].some(
      ([other, itsModule]) => itsModule === this.#name && other.endsWith(`.${name}`),
    );
    const prefix = (fullName ?? '').split('.').at(-3) ?? '';
    const local = isTaken ? `${prefix.charAt(0).toUpperCase()}${prefix.slice(1)}${name}` : name;
    names.set(name, local);
    return local;
  }
}

/** Whether objects of the type have metadata of their own: every one of them is of a kind. */
function isObject(message: MessageType): boolean {
  const metadata = message.fields.get('metadata')?.type;
  return (
    message.typeMeta &&
    metadata?.kind === 'message' &&
    metadata.message.fullName === `${metaPackage}.ObjectMeta`
  );
}

function comment(text: string, indent = ''): string {
  const safe = text.replaceAll('*/', '*\\/');
  return safe === '' ? '' : `${indent}/** ${safe} */\n`;
}
