import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryDirectory } from '../source-scan/source-files.ts';

/**
 * Makes a directory of the repository consist of the files given, names with their content, or only checks that it does;
 * returns the paths that differed, those of files that should not be there included.
 */
export function writeGenerated(
  target: string,
  files: ReadonlyMap<string, string>,
  { isCheck }: { readonly isCheck: boolean },
): readonly string[] {
  const directory = join(repositoryDirectory, target);
  const different = differences(directory, files);
  if (!isCheck) {
    for (const name of different) {
      const path = join(directory, name);
      const content = files.get(name);
      if (content === undefined) rmSync(path);
      else {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
      }
    }
  }
  return different.map(name => join(target, name));
}

function differences(directory: string, files: ReadonlyMap<string, string>): string[] {
  const stale = presentIn(directory).filter(name => !files.has(name));
  const changed = [...files].filter(([name, content]) => {
    const path = join(directory, name);
    return !existsSync(path) || readFileSync(path, 'utf8') !== content;
  });
  return [...stale, ...changed.map(([name]) => name)].sort();
}

function presentIn(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(directory.length + 1));
}
