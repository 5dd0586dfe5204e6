import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import type { OptionValue, OptionValues, ProtoField, ProtoMessage } from '@binnacle/api-types';
import protobuf from 'protobufjs';

/** The messages that one proto file declares. */
export interface ProtoFile {
  /** Its path in its directory without the suffix, for example `core/v1`. */
  readonly name: string;
  readonly messages: readonly ProtoMessage[];
}

/** Declares the options that the other files use, and no message. */
const optionsFile = 'options.proto';

/**
 * Reads every proto file of a directory with protobufjs: fields, options and comments, in the order of the files.
 * Files may import others of the directory, or of `imported`. Throws for what API types do not use (enumerations, services,
 * nested messages), naming it.
 */
export function readProtoMessages(directory: string, imported: string = directory): ProtoFile[] {
  const root = new protobuf.Root();
  const own = new Set(findProtoFiles(directory));
  root.resolvePath = (_origin, target) => {
    if (target.startsWith('google/protobuf/')) return join(protobufDirectory(), target);
    if (target.startsWith(directory)) return target;
    return join(own.has(target) ? directory : imported, target);
  };
  const names = [...own].filter(name => name !== optionsFile);
  for (const name of names)
    root.loadSync(join(directory, name), { keepCase: true, alternateCommentMode: true });
  root.resolveAll();
  const declared = findTypes(root);
  return names.map(name => ({
    name: name.replace(/\.proto$/, ''),
    messages: declared.filter(type => type.filename === join(directory, name)).map(messageFrom),
  }));
}

function findProtoFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.proto'))
    .map(name => relative(directory, join(directory, name)).split(sep).join('/'))
    .sort();
}

function protobufDirectory(): string {
  return dirname(createRequire(import.meta.url).resolve('protobufjs/package.json'));
}

function findTypes(namespace: protobuf.NamespaceBase): protobuf.Type[] {
  return namespace.nestedArray.flatMap(object => {
    if (object.fullName.startsWith('.google')) return [];
    if (object instanceof protobuf.Type) {
      if (object.nestedArray.length > 0 || object.oneofsArray.some(oneof => !oneof.isProto3Optional))
        throw new Error(`${object.fullName}: API types declare messages beside each other, without oneof`);
      return [object];
    }
    if (object instanceof protobuf.Enum || object instanceof protobuf.Service)
      throw new Error(`${object.fullName}: API types declare messages only`);
    return object instanceof protobuf.Namespace ? findTypes(object) : [];
  });
}

function messageFrom(type: protobuf.Type): ProtoMessage {
  return {
    name: type.name,
    package: (type.parent?.fullName ?? '').replace(/^\./, ''),
    options: optionsByName(type),
    fields: type.fieldsArray.map(fieldFrom),
    description: sentenceFrom(type.comment),
  };
}

function fieldFrom(field: protobuf.Field): ProtoField {
  return {
    name: field.name,
    number: field.id,
    type: field.type,
    label: field instanceof protobuf.MapField ? 'map' : field.repeated ? 'repeated' : 'single',
    options: optionsByName(field),
    description: sentenceFrom(field.comment),
  };
}

/** The options of the files' own by name, each with its values in the order of the file. */
function optionsByName(object: protobuf.ReflectionObject): OptionValues {
  const given = (object.parsedOptions ?? []).flatMap(parsed => Object.entries(parsed));
  const byName = Map.groupBy(given, ([written]) => written.replace(/^\(|\)$/g, ''));
  return Object.fromEntries(
    [...byName].map(([name, values]) => [name, values.map(([, value]) => value as OptionValue)]),
  );
}

function sentenceFrom(comment: string | null): string {
  return (comment ?? '').replace(/\s*\n\s*/g, ' ').trim();
}
