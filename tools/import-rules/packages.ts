import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name, folder and dependencies of a package. */
export interface PackageDeclaration {
  readonly name: string;
  /** The folder from the root of the repository; empty for the root. */
  readonly folder: string;
  readonly dependencies: ReadonlySet<string>;
  readonly devDependencies: ReadonlySet<string>;
}

/** Finds the package that a file belongs to: the nearest package.json above it. */
export function createPackageFinder(root: string): (file: string) => PackageDeclaration {
  const known = new Map<string, PackageDeclaration | undefined>();
  const read = (folder: string): PackageDeclaration | undefined => {
    if (!known.has(folder)) known.set(folder, readDeclaration(root, folder));
    return known.get(folder);
  };
  return file => {
    const parts = file.split('/');
    for (let depth = parts.length - 1; depth >= 0; depth--) {
      const declaration = read(parts.slice(0, depth).join('/'));
      if (declaration !== undefined) return declaration;
    }
    throw new Error(`no package.json above ${file}`);
  };
}

function readDeclaration(root: string, folder: string): PackageDeclaration | undefined {
  const file = join(root, folder, 'package.json');
  if (!existsSync(file)) return undefined;
  const content = JSON.parse(readFileSync(file, 'utf8')) as {
    name?: string;
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  };
  return {
    name: content.name ?? folder,
    folder,
    dependencies: new Set(Object.keys(content.dependencies ?? {})),
    devDependencies: new Set(Object.keys(content.devDependencies ?? {})),
  };
}

/** The npm package that a bare specifier names: `@scope/name/file` is of `@scope/name`. */
export function packageFromSpecifier(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
