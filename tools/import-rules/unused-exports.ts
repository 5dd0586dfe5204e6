import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isGenerated, isTestMaterial } from '../source-scan/source-files.ts';
import { importableByEveryTest } from './layers.ts';
import { type ModuleNames, readModuleNames } from './module-names.ts';
import { type PackageDeclaration, packageFromSpecifier } from './packages.ts';

/** The facts about a source file that the use of exports depends on. */
interface Module {
  readonly names: ModuleNames;
  /** Whether it serves tests alone. */
  readonly isTest: boolean;
  /** The names that other files import; true: a file other than a test does. */
  readonly taken: Map<string, boolean>;
}

/**
 * Finds exports that no other file imports, and those that only tests use: no file of a program imports them, their
 * own file does not use them, and no `testing.ts` exports them.
 */
export class UnusedExports {
  readonly #root: string;
  readonly #modules = new Map<string, Module>();
  readonly #packageFolders = new Map<string, string>();
  readonly #entries = new Map<string, Readonly<Record<string, string>>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Notes a source file and the package that it belongs to. */
  add(file: string, source: string, { name, folder }: PackageDeclaration): void {
    const isTest = importableByEveryTest.has(name) || isTestMaterial(file, source);
    this.#modules.set(file, { names: readModuleNames(source), isTest, taken: new Map() });
    this.#packageFolders.set(name, folder);
  }

  /** A line for each export that is not used, in the order of the files. */
  violations(): string[] {
    for (const [file, { names, isTest }] of this.#modules) {
      const byProgram = !isTest || posix.basename(file) === 'testing.ts';
      for (const { specifier, names: taken, passedOn } of names.taken) {
        const target = this.#resolve(file, specifier);
        if (target === undefined || passedOn) continue;
        for (const name of taken === 'everything' ? this.#allNames(target) : taken)
          this.#take(target, name, byProgram);
      }
    }
    return [...this.#modules].flatMap(([file, module]) => findViolations(file, module));
  }

  #resolve(file: string, specifier: string): string | undefined {
    if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
    const name = packageFromSpecifier(specifier);
    const folder = this.#packageFolders.get(name);
    if (folder === undefined) return undefined;
    const entries = this.#entries.get(folder) ?? readEntries(join(this.#root, folder, 'package.json'));
    this.#entries.set(folder, entries);
    const path = `.${specifier.slice(name.length)}`;
    const entry = entries[path] ?? entries['./*']?.replace('*', path.slice(2));
    return posix.join(folder, entry ?? (path === '.' ? 'index.ts' : `${path}.ts`));
  }

  #allNames(file: string): string[] {
    const module = this.#modules.get(file);
    if (module === undefined) return [];
    const passedOn = module.names.taken.filter(taken => taken.passedOn);
    return [
      ...module.names.exported.map(({ name }) => name),
      ...passedOn.flatMap(({ specifier }) => this.#allNames(this.#resolve(file, specifier) ?? '')),
    ];
  }

  #take(file: string, name: string, byProgram: boolean): void {
    const module = this.#modules.get(file);
    if (module === undefined) return;
    if (module.names.exported.some(exported => exported.name === name)) {
      module.taken.set(name, byProgram || module.taken.get(name) === true);
      return;
    }
    for (const { specifier, passedOn } of module.names.taken)
      if (passedOn) this.#take(this.#resolve(file, specifier) ?? '', name, byProgram);
  }
}

function findViolations(file: string, { names, isTest, taken }: Module): string[] {
  // Generated code may have unused exports.
  if (isGenerated(file)) return [];
  return names.exported.flatMap(({ name, line, usedInside }) => {
    // A default export is for a program that loads the file by its path.
    if (name === 'default') return [];
    const byProgram = taken.get(name);
    if (byProgram === undefined) return [`${file}:${line}: no other file uses the export ${name}`];
    if (byProgram || isTest || usedInside) return [];
    return [`${file}:${line}: tests alone use the export ${name}`];
  });
}

/** The entries of a package by their path: `./testing`. */
function readEntries(file: string): Readonly<Record<string, string>> {
  if (!existsSync(file)) return {};
  const { exports = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
    exports?: Record<string, string> | string;
  };
  return typeof exports === 'string' ? { '.': exports } : exports;
}
