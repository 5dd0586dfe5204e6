import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isInTestFolder, isTestCode, sourceFiles } from '../source-scan/source-files.ts';
import { findCycles } from './cycles.ts';
import { FolderImports } from './folder-imports.ts';
import { findImports, type ModuleImport } from './imports.ts';
import { buildPackages, findLayer, importableByEveryTest, isTypeEntry, otherEntries } from './layers.ts';
import { createPackageFinder, type PackageDeclaration, packageFromSpecifier } from './packages.ts';
import { UnusedExports } from './unused-exports.ts';

/** Checks every import of every source file; returns one line a violation, `file:line: what is wrong`. */
export function checkImports(root: string): string[] {
  const files = sourceFiles(root);
  const findPackage = createPackageFinder(root);
  const violations: string[] = [];
  const edges = new Map<string, string[]>();
  const folders = new FolderImports();
  const used = new Map<PackageDeclaration, Set<string>>();
  const exports = new UnusedExports(root);
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8');
    const owner = findPackage(file);
    const usedByOwner = used.get(owner) ?? new Set<string>();
    used.set(owner, usedByOwner);
    exports.add(file, source, owner);
    const targets: string[] = [];
    const isTest = isTestCode(file, source);
    for (const found of findImports(source)) {
      const target = relativeTarget(file, found.specifier);
      if (target !== undefined) targets.push(target);
      if (target !== undefined && !isTest) folders.add(owner.folder, file, target);
      const problem =
        target === undefined
          ? bareImportProblem(isTest || isInTestFolder(file), owner, found)
          : relativeImportProblem({ target, owner, findPackage, isKnown: files.includes(target) });
      if (problem !== undefined) violations.push(`${file}:${found.line}: ${problem}`);
    }
    for (const name of [...owner.dependencies, ...owner.devDependencies]) {
      if (mentions(source, name)) usedByOwner.add(name);
    }
    edges.set(file, targets);
  }
  return [
    ...violations,
    ...unusedDependencies(used),
    ...findCycles(edges).map(cycleText),
    ...folders.violations(),
    ...exports.violations(),
  ];
}

function relativeTarget(file: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : undefined;
}

interface RelativeImport {
  readonly target: string;
  readonly owner: PackageDeclaration;
  readonly isKnown: boolean;
  findPackage(file: string): PackageDeclaration;
}

function relativeImportProblem({ target, owner, isKnown, findPackage }: RelativeImport): string | undefined {
  if (target.startsWith('..')) return `${target} is outside the repository`;
  if (target.endsWith('.ts') && !isKnown) return `${target} does not exist`;
  const other = findPackage(target);
  if (other.folder === owner.folder) return undefined;
  return `reaches into the files of ${other.name}: import the package by its name`;
}

function bareImportProblem(
  isTest: boolean,
  owner: PackageDeclaration,
  found: ModuleImport,
): string | undefined {
  const { specifier } = found;
  if (specifier.startsWith('node:')) return undefined;
  if (specifier.startsWith('/') || specifier.includes(':')) return `"${specifier}" is not a package`;
  const name = packageFromSpecifier(specifier);
  if (name === owner.name) return `${name} imports itself by name: use a relative path`;
  if (!isDeclared(isTest, owner, name)) return `${name} is not declared in the package.json of ${owner.name}`;
  if (!name.startsWith('@binnacle/')) return undefined;
  if (specifier === `${name}/testing` && !isTest) return `"${specifier}" is for tests alone`;
  if (isTypeEntry(specifier)) {
    if (!found.typeOnly) return `"${specifier}" has types alone: use \`import type\``;
  } else if (specifier !== name && specifier !== `${name}/testing` && !otherEntries.has(specifier))
    return `"${specifier}" goes past the index.ts of ${name}`;
  if (importableByEveryTest.has(name) && isTest) return undefined;
  return layerProblem(owner.name, name);
}

function isDeclared(isTest: boolean, owner: PackageDeclaration, name: string): boolean {
  if (owner.dependencies.has(name)) return true;
  return owner.devDependencies.has(name) && (isTest || buildPackages.has(name));
}

function layerProblem(owner: string, imported: string): string | undefined {
  const ownLayer = findLayer(owner);
  const importedLayer = findLayer(imported);
  if (importedLayer === undefined) return `${imported} is not in the table of layers`;
  if (ownLayer === undefined) return `${owner} is not in the table of layers`;
  if (importedLayer < ownLayer) return undefined;
  return importedLayer === ownLayer
    ? `${owner} and ${imported} stand in one layer and do not import each other`
    : `${owner} stands below ${imported} and must not import it`;
}

function unusedDependencies(used: ReadonlyMap<PackageDeclaration, ReadonlySet<string>>): string[] {
  return [...used].flatMap(([declaration, names]) =>
    [...declaration.dependencies]
      .filter(name => !names.has(name))
      .map(name => `${posix.join(declaration.folder, 'package.json')}: ${name} is declared but not used`),
  );
}

// A package can also be used by resolving its files, so that any mention in quotes counts.
function mentions(source: string, packageName: string): boolean {
  return ["'", '"', '`'].some(
    quote => source.includes(`${quote}${packageName}${quote}`) || source.includes(`${quote}${packageName}/`),
  );
}

function cycleText(cycle: readonly string[]): string {
  return `${cycle[0]}: imports go in a circle, types counted: ${cycle.join(' -> ')} -> ${cycle[0]}`;
}
