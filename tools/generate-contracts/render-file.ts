import protobuf from 'protobufjs';
import { enumNames } from './field-kinds.ts';
import { findFileName, type ProtoFile } from './load-protos.ts';
import { docComment, generatedFileName, lowerFirst } from './names.ts';
import { renderMessage } from './render-message.ts';
import { renderService } from './render-service.ts';

const wireNames = ['assertEnd', 'enumValue', 'messageEnd', 'newWriter', 'noBytes', 'readEntry', 'readerOf'];
const wireTypes = ['Reader', 'Writer'];
const contractTypes = ['MessageCodec', 'ServiceContract', 'StreamingMethod', 'UnaryMethod'];

/** Paths in a generated file: of the folder of its `.proto` file in the repository, and of the runtime from its own place. */
interface FilePaths {
  readonly source: string;
  readonly runtime: string;
}

/** The TypeScript file of one `.proto` file. */
export function renderFile(file: ProtoFile, { source, runtime }: FilePaths): string {
  const body = [
    ...file.enums.map(type => renderEnum(type, file.name)),
    ...file.messages.map(message => renderMessage(message, file.name)),
    ...file.services.map(service => renderService(service, file.name)),
  ].join('\n');
  const head = [
    `// Generated from ${source}/${file.name} by tools/generate-contracts; edit that file and run \`npm run generate\`.`,
    ...importLine(`${runtime}/contract.ts`, [], used(body, contractTypes)),
    ...importLine(`${runtime}/wire.ts`, used(body, wireNames), used(body, wireTypes)),
    ...importsFromOtherFiles(file, body),
  ];
  return `${head.join('\n')}\n\n${body}`;
}

function renderEnum(type: protobuf.Enum, protoName: string): string {
  const names = enumNames(type);
  const variable = lowerFirst(type.name);
  return `${docComment(type.comment, `\`${type.name}\` of \`${protoName}\`.`)}export type ${type.name} =
${names.map(name => `  | '${name}'`).join('\n')};

const ${variable}Values: readonly ${type.name}[] = [${names.map(name => `'${name}'`).join(', ')}];

const ${variable}Numbers: { readonly [name in ${type.name}]: number } = {
${names.map((name, index) => `  ${name}: ${index},\n`).join('')}};
`;
}

function importsFromOtherFiles(file: ProtoFile, body: string): string[] {
  const foreign = new Map<string, Set<string>>();
  for (const type of referencedTypes(file)) {
    const protoName = findFileName(type);
    if (protoName === file.name) continue;
    if (type instanceof protobuf.Enum)
      throw new Error(`${type.fullName}: an enum of another file is not supported`);
    foreign.set(protoName, (foreign.get(protoName) ?? new Set()).add(type.name));
  }
  return [...foreign].flatMap(([protoName, names]) => {
    const functions = [...names].flatMap(name => [`${lowerFirst(name)}Codec`, `read${name}`, `write${name}`]);
    return importLine(`./${generatedFileName(protoName)}`, used(body, functions), used(body, [...names]));
  });
}

function referencedTypes(file: ProtoFile): protobuf.ReflectionObject[] {
  const ofFields = file.messages.flatMap(message => message.fieldsArray.map(field => field.resolvedType));
  const methods = file.services.flatMap(service => service.methodsArray.map(method => method.resolve()));
  const ofMethods = methods.flatMap(method => [
    (method as protobuf.Method).resolvedRequestType,
    (method as protobuf.Method).resolvedResponseType,
  ]);
  return [...ofFields, ...ofMethods].filter(type => type !== null);
}

function used(body: string, names: string[]): string[] {
  return names.filter(name => new RegExp(`\\b${name}\\b`).test(body.replaceAll(/\/\*\*[\s\S]*?\*\//g, '')));
}

function importLine(from: string, values: string[], types: string[]): string[] {
  if (values.length + types.length === 0) return [];
  if (values.length === 0) return [`import type { ${types.join(', ')} } from '${from}';`];
  return [`import { ${[...values, ...types.map(name => `type ${name}`)].join(', ')} } from '${from}';`];
}
