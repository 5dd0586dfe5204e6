import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import protobuf from 'protobufjs';

/** The messages, enums and services of one `.proto` file, in the order in which they are written. */
export interface ProtoFile {
  /** `watch_event.proto` */
  readonly name: string;
  readonly messages: readonly protobuf.Type[];
  readonly enums: readonly protobuf.Enum[];
  readonly services: readonly protobuf.Service[];
}

/** Reads every `.proto` file of a directory, with imports, options and comments. */
export function loadProtos(directory: string): ProtoFile[] {
  const packageDirectory = dirname(createRequire(import.meta.url).resolve('protobufjs/package.json'));
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) =>
    target.startsWith('google/protobuf/')
      ? join(packageDirectory, target)
      : join(directory, basename(target));
  const names = readdirSync(directory)
    .filter(name => name.endsWith('.proto'))
    .sort();
  for (const name of names) root.loadSync(name, { keepCase: false, alternateCommentMode: true });
  root.resolveAll();
  return names.map(name => createProtoFile(root, name));
}

/** The name of the `.proto` file that declares a message, enum or service. */
export function findFileName(object: protobuf.ReflectionObject): string {
  if (!object.filename) throw new Error(`${object.fullName} has no file`);
  return basename(object.filename);
}

function createProtoFile(root: protobuf.Root, name: string): ProtoFile {
  const declared = findObjects(root).filter(object => object.filename && findFileName(object) === name);
  return {
    name,
    messages: declared.filter(object => object instanceof protobuf.Type),
    enums: declared.filter(object => object instanceof protobuf.Enum),
    services: declared.filter(object => object instanceof protobuf.Service),
  };
}

function findObjects(namespace: protobuf.NamespaceBase): protobuf.ReflectionObject[] {
  return namespace.nestedArray.flatMap(object => {
    if (object.fullName === '.google') return [];
    if (object instanceof protobuf.Type && object.nestedArray.length > 0) {
      throw new Error(`${object.fullName}: nested declarations are not supported; declare them beside it`);
    }
    return object instanceof protobuf.Namespace &&
      !(object instanceof protobuf.Type || object instanceof protobuf.Service)
      ? findObjects(object)
      : [object];
  });
}
