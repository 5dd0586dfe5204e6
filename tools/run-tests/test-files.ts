import { readFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';
import { toKubernetes } from '@binnacle/api-names/testing';
import { findImports } from '../import-rules/imports.ts';
import { isTestFile, isTestMaterial, sourceFiles } from '../source-scan/source-files.ts';

/**
 * The backends that a test file needs; its name says so: `x.etcd.test.ts` needs etcd. `process` stands for
 * any other server that the test starts as a process of its own, such as a service of this repository.
 */
const needs = ['etcd', 'redis', 'kafka', 'kubectl', 'process'] as const;

/** One of the servers or programs that a test can need. */
type Need = (typeof needs)[number];

/** The selection of test files. */
export interface TestSelection {
  /** Files and folders, absolute; all test files of the repository when empty. */
  readonly paths: readonly string[];
  /** Only files with one of these suffixes; `unit` stands for files with none. All when empty. */
  readonly only: readonly string[];
  /** Only files that depend on the names of the API. */
  readonly withNames?: boolean;
}

/** The test files of the repository that are selected, as paths from its root. */
export function findTestFiles(root: string, selection: TestSelection): string[] {
  const wanted = selection.paths.map(path => relative(root, resolve(path)).split(sep).join('/'));
  const dependsOnNames = createDependenceOnNames(root);
  return sourceFiles(root)
    .filter(isTestFile)
    .filter(file => wanted.length === 0 || wanted.some(path => isWithin(file, path)))
    .filter(file => selection.only.length === 0 || selection.only.some(suffix => hasSuffix(file, suffix)))
    .filter(file => selection.withNames !== true || dependsOnNames(file));
}

/** Says whether a test file needs any of what `make backends` installs. */
export function needsInstallation(file: string): boolean {
  return findNeeds(file).some(need => need !== 'process');
}

/** The servers and programs that a test file needs: those of its suffix, and all of them under `tests/`. */
export function findNeeds(file: string): Need[] {
  if (file.startsWith('tests/')) return [...needs];
  return needs.filter(need => suffixesFromFile(file).includes(need));
}

function hasSuffix(file: string, suffix: string): boolean {
  return suffix === 'unit' ? findNeeds(file).length === 0 : suffixesFromFile(file).includes(suffix);
}

function suffixesFromFile(file: string): string[] {
  return file
    .slice(file.lastIndexOf('/') + 1, -'.test.ts'.length)
    .split('.')
    .slice(1);
}

function isWithin(file: string, path: string): boolean {
  return path === '' || file === path || file.startsWith(`${path}/`);
}

/**
 * Says of test files whether they depend on the vocabulary: whether they have names of the API, or are made of test code that has some.
 */
function createDependenceOnNames(root: string): (file: string) => boolean {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  return file => {
    const files = new Set([file]);
    // Imports of a file are added while they are gone through.
    for (const each of files) {
      const source = read(each);
      if (toKubernetes(source) !== source) return true;
      for (const imported of findModules(each, source))
        if (isTestMaterial(imported, read(imported))) files.add(imported);
    }
    return false;
  };
}

function findModules(file: string, source: string): string[] {
  return findImports(source)
    .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && specifier.endsWith('.ts') && !typeOnly)
    .map(({ specifier }) => posix.join(posix.dirname(file), specifier));
}
