import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ProtoMessage, parseProtoFile } from './proto-file.ts';

/** The directory of the definitions: `proto/api`. */
const definitionsDirectory = join(dirname(createRequire(import.meta.url).resolve('@binnacle/proto')), 'api');

/** Declares the options that the other files use, and no message. */
const optionsFile = 'options.proto';

/** Reads the messages of every file below a directory, `proto/api` unless another one is given. */
export function loadProtos(directory: string = definitionsDirectory): ProtoMessage[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.proto') && name !== optionsFile)
    .sort()
    .flatMap(name => parseNamed(join(directory, name)));
}

function parseNamed(path: string): ProtoMessage[] {
  try {
    return parseProtoFile(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`cannot read ${path}`, { cause: error });
  }
}
