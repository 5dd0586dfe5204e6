import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isGenerated, isTestCode, sourceDirectories, sourceFiles } from '../source-scan/source-files.ts';
import { findFunctions } from './functions.ts';

const sourceLines = 500;
const testLines = 800;
const functionLines = 80;

/** Folder names that say nothing about what the folder holds, and abbreviations that need a glossary. */
const refusedFolderNames = new Set([
  ...['common', 'helper', 'helpers', 'misc', 'shared', 'src', 'util', 'utils'],
  ...['cfg', 'crd', 'crds', 'ctx', 'gc', 'hpa', 'impl', 'lib', 'mgmt', 'mgr', 'pdb', 'sa', 'ssa', 'svc'],
]);

/** Checks the sizes of files and functions and the names of folders; returns one line a violation. */
export function checkSizes(root: string): string[] {
  const files = sourceFiles(root).filter(file => !isGenerated(file));
  return [
    ...sourceDirectories(root)
      .filter(folder => refusedFolderNames.has(basename(folder)))
      .map(folder => `${folder}: a folder is named for its step in the request or for what it holds`),
    ...files.flatMap(file => checkFile(file, readFileSync(join(root, file), 'utf8'))),
  ];
}

function checkFile(file: string, source: string): string[] {
  const lines = source.trimEnd().split('\n').length;
  const isTest = isTestCode(file, source);
  const limit = isTest ? testLines : sourceLines;
  const tooLong = lines > limit ? [`${file}: ${lines} lines, at most ${limit} are allowed`] : [];
  if (isTest) return tooLong;
  const longFunctions = findFunctions(source)
    .filter(span => span.lines > functionLines)
    .map(
      ({ firstLine, lines }) =>
        `${file}:${firstLine}: a function of ${lines} lines, at most ${functionLines} are allowed`,
    );
  return [...tooLong, ...longFunctions];
}
