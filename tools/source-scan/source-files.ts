import { readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

/** The root folder of the repository. */
export const repositoryDirectory = resolve(import.meta.dirname, '../..');

/** The folders that hold source files, relative to the root of the repository. */
const sourceFolders = ['proto', 'libs', 'services', 'clients', 'bench', 'tests', 'tools', 'deploy'] as const;

const skippedFolders = new Set(['node_modules', 'reports', 'fixtures']);

/** Every `.ts` file of the source folders, as paths from the root with `/`, sorted. */
export function sourceFiles(root: string): string[] {
  return filesWithSuffix(root, '.ts');
}

/** Every file of the source folders whose name ends so, as paths from the root with `/`, sorted. */
export function filesWithSuffix(root: string, suffix: string): string[] {
  return sourceFolders.flatMap(folder => filesUnder(root, join(root, folder), suffix)).sort();
}

/** Every folder below the source folders, as paths from the root with `/`, sorted. */
export function sourceDirectories(root: string): string[] {
  const parents = new Set<string>();
  for (const file of sourceFiles(root)) {
    const parts = file.split('/');
    for (let depth = 1; depth < parts.length; depth++) parents.add(parts.slice(0, depth).join('/'));
  }
  return [...parents].sort();
}

/** Says whether a file is a test that the runner runs. */
export function isTestFile(file: string): boolean {
  return file.endsWith('.test.ts');
}

/** Says whether a file is a test or registers tests for test files, and so may do what only tests may. */
export function isTestCode(file: string, source: string): boolean {
  return isTestFile(file) || /from ['"]node:test['"]/.test(source);
}

/** Folders of test code alone: all their files may do what only tests may. */
const testFolders = ['tests/', 'tools/check-cases/', 'tools/run-tests/'];

/** Says whether a file is in a folder of test code. */
export function isInTestFolder(file: string): boolean {
  return testFolders.some(folder => file.startsWith(folder));
}

const testMaterialPattern = /(^|\/)(test-drivers|contract-tests|fixtures)\/|(^|\/)testing\.ts$/;

/** Says whether a file serves tests alone: test code, what several tests are made of, and data of tests. */
export function isTestMaterial(file: string, source: string): boolean {
  if (file.startsWith('..') || file.split('/').includes('node_modules')) return false;
  return isInTestFolder(file) || testMaterialPattern.test(file) || isTestCode(file, source);
}

/** Says whether a file is written by a generator. */
export function isGenerated(file: string): boolean {
  return file.split('/').includes('generated');
}

function filesUnder(root: string, directory: string, suffix: string): string[] {
  return readEntries(directory).flatMap(entry => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      return skippedFolders.has(entry.name) || entry.name.startsWith('.')
        ? []
        : filesUnder(root, path, suffix);
    }
    return entry.name.endsWith(suffix) ? [relative(root, path).split(sep).join('/')] : [];
  });
}

function readEntries(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
