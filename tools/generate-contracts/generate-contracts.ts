import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadProtos } from './load-protos.ts';
import { generatedFileName } from './names.ts';
import { renderFile } from './render-file.ts';

const protoDirectory = fileURLToPath(new URL('../../proto/', import.meta.url));
const target = join(protoDirectory, 'generated');

/** Name → content of every file that `proto/generated` consists of. */
function contractFiles(): Map<string, string> {
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

/** Writes `proto/generated` anew, or only checks it; returns the names of the files that differed. */
export function generateContracts({ isCheck }: { readonly isCheck: boolean }): readonly string[] {
  const files = contractFiles();
  const different = differences(files);
  if (isCheck) return different.map(name => `proto/generated/${name}`);
  mkdirSync(target, { recursive: true });
  for (const name of different) {
    const content = files.get(name);
    if (content === undefined) rmSync(join(target, name));
    else writeFileSync(join(target, name), content);
  }
  return different.map(name => `proto/generated/${name}`);
}
