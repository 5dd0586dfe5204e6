import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as tables from '@binnacle/api-names/table';
import { filesWithSuffix, isGenerated, isTestMaterial, sourceFiles } from '../source-scan/source-files.ts';

/** The files that may contain names of either vocabulary, with the reasons. */
const allowed: ReadonlyMap<string, string> = new Map([
  ['libs/api-names/', 'the home of names'],
  ['tools/check-wire/', 'compares what the server has with files of Kubernetes'],
]);

/** Finds names of either vocabulary outside tests; returns a line for each line with such names. */
export function checkNames(root: string): string[] {
  const isExempt = (file: string) => [...allowed.keys()].some(folder => file.startsWith(folder));
  return [...sourceFiles(root), ...filesWithSuffix(root, '.proto')].flatMap(file => {
    if (isExempt(file) || isGenerated(file)) return [];
    const source = readFileSync(join(root, file), 'utf8');
    if (isTestMaterial(file, source)) return [];
    return source.split('\n').flatMap((line, index) => {
      const [name] = namePattern.exec(line) ?? [];
      return name === undefined
        ? []
        : [`${file}:${index + 1}: ${name} is a name of one vocabulary: take it from @binnacle/api-names`];
    });
  });
}

// A plain word, as the finalizer `cluster` is, is part of other texts too. Namespaces are rarely words.
const namespaces = new Set<string>(Object.values(tables.namespaceTable).flat());
const isName = (name: string) => /[./:_]/.test(name) || namespaces.has(name);

const names = (Object.values(tables) as tables.NameTable[])
  .flatMap(table => Object.values(table))
  .filter(([cluster, kubernetes]) => cluster !== kubernetes)
  .flat()
  .filter(isName)
  .map(name => `${name.replace(/[./]/g, '\\\\?\\$&')}${/\w$/.test(name) ? '(?![\\w-])' : ''}`)
  .map(name => (/^\w/.test(name) ? `(?<![\\w-])${name}` : name));

/** Prefixes of names that are in no table. */
const domains = [
  String.raw`[\w.-]*(?<![\w-])(?:cluster|k8s|kubernetes)\\?\.io\b(?:\/[\w.-]+)?`,
  String.raw`(?<![\w-])x-(?:cluster|kubernetes)-[\w-]+`,
  String.raw`\bvnd\.(?:cluster|kubernetes)\b`,
  String.raw`\bio\.(?:cluster|k8s)\.\w+`,
];

const namePattern = new RegExp([...domains, ...names].join('|'));
