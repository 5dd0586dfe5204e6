import { join } from 'node:path';
import { buildMessages, type ProtoMessage } from '@binnacle/api-types';
import { writeGenerated } from '../generated-files/write-generated.ts';
import { repositoryDirectory } from '../source-scan/source-files.ts';
import { type ProtoFile, readProtoMessages } from './read-proto-messages.ts';
import { isDefinedHere, renderTypes } from './render-types.ts';

const definitionsDirectory = join(repositoryDirectory, 'proto/api');

/** The package whose entries `<group>/<version>` are the types of `proto/api`. */
const typesPackage = '@binnacle/api-types';

/** Directories of proto files, and where what is generated from them stands. */
const targets: readonly { readonly source: string; readonly target: string }[] = [
  { source: 'proto/api', target: 'libs/api-types/generated' },
  { source: 'libs/api-types/example', target: 'libs/api-types/example/generated' },
];

/**
 * Writes the descriptors and the TypeScript types of API objects anew, or only checks them; returns the names of the files
 * that differed.
 */
export function generateApiTypes({ isCheck }: { readonly isCheck: boolean }): readonly string[] {
  const definitions = readProtoMessages(definitionsDirectory);
  return targets.flatMap(({ source, target }) => {
    const directory = join(repositoryDirectory, source);
    const isOwn = directory === definitionsDirectory;
    const files = isOwn ? definitions : readProtoMessages(directory, definitionsDirectory);
    return writeGenerated(target, filesFrom(files, isOwn ? [] : definitions), { isCheck });
  });
}

/** Name and content of every generated file. `referred` are proto files that those given may refer to. */
function filesFrom(files: readonly ProtoFile[], referred: readonly ProtoFile[]): ReadonlyMap<string, string> {
  const declared = files.flatMap(file => file.messages);
  const messages = buildMessages([...referred.flatMap(file => file.messages), ...declared]);
  const moduleOf = new Map(
    [...referred.map(file => ({ ...file, name: `${typesPackage}/${file.name}` })), ...files].flatMap(file =>
      file.messages.map(message => [fullMessageName(message), file.name] as const),
    ),
  );
  const contents = new Map([['descriptors.json', descriptors(declared)]]);
  for (const { name, messages: own } of files) {
    const typed = own
      .filter(message => message.options['json_form'] === undefined)
      .map(message => messages.get(fullMessageName(message))!)
      .filter(isDefinedHere);
    if (typed.length > 0) contents.set(`${name}.ts`, renderTypes(name, typed, { messages, moduleOf }));
  }
  return contents;
}

function fullMessageName(message: ProtoMessage): string {
  return `${message.package}.${message.name}`;
}

/** One message a line, so that a change of one shows as that. */
function descriptors(messages: readonly ProtoMessage[]): string {
  return `[\n${messages.map(message => JSON.stringify(message)).join(',\n')}\n]\n`;
}
