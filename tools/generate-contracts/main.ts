import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadProtos } from './load-protos.ts';
import { generatedFileName } from './names.ts';
import { renderFile } from './render-file.ts';

const protoDirectory = fileURLToPath(new URL('../../proto/', import.meta.url));
const target = join(protoDirectory, 'generated');

/** Name → content of every file that `proto/generated` consists of. */
function generate(): Map<string, string> {
  const files = loadProtos(join(protoDirectory, 'internal'));
  return new Map(files.map(file => [generatedFileName(file.name), renderFile(file)]));
}

function differences(expected: Map<string, string>): string[] {
  const present = existsSync(target) ? readdirSync(target) : [];
  const stale = present.filter(name => !expected.has(name));
  const changed = [...expected].filter(([name, content]) => {
    const path = join(target, name);
    return !existsSync(path) || readFileSync(path, 'utf8') !== content;
  });
  return [...stale, ...changed.map(([name]) => name)].sort();
}

function main(args: string[]): number {
  const unknown = args.filter(arg => arg !== '--check');
  if (unknown.length > 0) {
    console.error(`unknown argument: ${unknown.join(' ')}\nusage: generate-contracts [--check]`);
    return 2;
  }
  const files = generate();
  const different = differences(files);
  if (args.includes('--check')) {
    if (different.length > 0) {
      console.error(
        `proto/generated differs from proto/internal: ${different.join(', ')}; run \`npm run generate\``,
      );
    }
    return different.length > 0 ? 1 : 0;
  }
  mkdirSync(target, { recursive: true });
  for (const name of different) {
    const content = files.get(name);
    if (content === undefined) rmSync(join(target, name));
    else writeFileSync(join(target, name), content);
  }
  console.log(`proto/generated: ${files.size} files, ${different.length} changed`);
  return 0;
}

process.exitCode = main(process.argv.slice(2));
