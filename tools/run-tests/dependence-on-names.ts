import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { toKubernetes } from '@binnacle/api-names/testing';
import { importsOf } from '../import-rules/imports.ts';
import { isTestMaterial } from '../source-scan/source-files.ts';

/**
 * Says of test files whether they depend on the vocabulary: whether they have names of the API, or are made of test code that has some.
 */
export function createDependenceOnNames(root: string): (file: string) => boolean {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  return file => {
    const files = new Set([file]);
    // Imports of a file are added while they are gone through.
    for (const each of files) {
      const source = read(each);
      if (toKubernetes(source) !== source) return true;
      for (const imported of modulesOf(each, source))
        if (isTestMaterial(imported, read(imported))) files.add(imported);
    }
    return false;
  };
}

function modulesOf(file: string, source: string): string[] {
  return importsOf(source)
    .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && specifier.endsWith('.ts') && !typeOnly)
    .map(({ specifier }) => posix.join(posix.dirname(file), specifier));
}
