import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProtoMessage } from './proto-message.ts';

/** Reads the messages that `make generate` wrote to a directory, in the order of the proto files. */
export function readDescriptors(directory: string): readonly ProtoMessage[] {
  const path = join(directory, 'descriptors.json');
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProtoMessage[]; // a generated file, which CI compares with the proto files
  } catch (error) {
    throw new Error(`cannot read ${path}; \`make generate\` writes it`, { cause: error });
  }
}
