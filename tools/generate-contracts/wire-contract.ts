import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';
import { repositoryDirectory } from '../source-scan/source-files.ts';
import { loadProtos, type ProtoFile } from './load-protos.ts';

const target = 'proto/wire-contract.txt';

/**
 * Adds what is new in the contracts between services to `proto/wire-contract.txt`, or only checks it; returns its name when it differed.
 * Throws where the contracts lack a line of the file, for the release before may send or expect it.
 */
export function generateWireContract({ isCheck }: { readonly isCheck: boolean }): readonly string[] {
  const path = join(repositoryDirectory, target);
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const lines = wireLines(loadProtos(join(repositoryDirectory, 'proto/internal')));
  const broken = brokenLines(before.split('\n'), lines);
  if (broken.length > 0)
    throw new Error(
      `pods of the release before speak ${broken.join('; ')}: add a field or method instead (CONTRIBUTING.md, "Changing a contract between services")`,
    );
  const text = `${lines.join('\n')}\n`;
  if (text === before) return [];
  if (!isCheck) writeFileSync(path, text);
  return [target];
}

/** The lines of an earlier contract that the present one does not have. */
export function brokenLines(before: readonly string[], now: readonly string[]): string[] {
  const present = new Set(now);
  return before.filter(line => line !== '' && !present.has(line));
}

/** Each field, enum value and method by what is sent of it: numbers and types, and of methods the names. */
export function wireLines(files: readonly ProtoFile[]): string[] {
  const lines = files.flatMap(({ messages, enums, services }) => [
    ...messages.flatMap(message =>
      message.fieldsArray.map(field => `${message.fullName} ${field.id}: ${wireType(field)}`),
    ),
    ...enums.flatMap(each => Object.values(each.values).map(value => `${each.fullName} ${value}`)),
    ...services.flatMap(service =>
      service.methodsArray.map(
        ({ name, requestType, responseType, responseStream }) =>
          `${service.fullName}/${name}: ${requestType} ${responseStream ? 'stream ' : ''}${responseType}`,
      ),
    ),
  ]);
  return lines.map(line => line.replace(/^\.binnacle\.internal\./, '')).toSorted();
}

function wireType(field: protobuf.Field): string {
  const type = field.resolvedType?.fullName.replace(/^\.binnacle\.internal\./, '') ?? field.type;
  if (field instanceof protobuf.MapField) return `map<${field.keyType}, ${type}>`;
  return `${field.repeated ? 'repeated ' : ''}${type}`;
}
