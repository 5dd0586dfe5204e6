import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import protobuf from 'protobufjs';

const require = createRequire(import.meta.url);

/** The directory of the definitions: `proto/api`. */
const definitionsDirectory = join(dirname(require.resolve('@binnacle/proto')), 'api');

/** protobufjs ships descriptor.proto as a file and not among its built-in imports. */
const protobufDirectory = dirname(require.resolve('protobufjs/package.json'));

/** Reads every file below `proto/api` into one protobufjs root, comments and custom options included. */
export function loadProtos(): protobuf.Root {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) =>
    join(target.startsWith('google/') ? protobufDirectory : definitionsDirectory, target);
  const files = readdirSync(definitionsDirectory, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.proto'),
  );
  return root.loadSync(files.sort(), { keepCase: true, alternateCommentMode: true });
}
