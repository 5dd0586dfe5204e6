import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { withInstallLock } from '@binnacle/backends';
import type { Plugin } from 'esbuild';
import { type ServiceName, serviceNames } from './service-instances.ts';

const repositoryDirectory = resolve(import.meta.dirname, '../..');
/** A folder for each state of the sources. Within `node_modules`, since bundles import packages. */
const cacheDirectory = join(repositoryDirectory, 'node_modules/.cache/services');
/** A form that runs for long may still load a part of its bundles. */
const unusedBundlesMs = 24 * 3_600_000;

/** A program that there is a bundle of: a service, or all of them in one process. */
export type BundledProgram = ServiceName | 'standalone';

/** Every program that there is a bundle of. */
export const bundledPrograms: readonly BundledProgram[] = [...serviceNames, 'standalone'];

/** The file of a program among bundles. */
export function bundledProgram(bundles: string, program: BundledProgram): string {
  return join(bundles, `${program}.mjs`);
}

/** The folder in which Node keeps what it compiles of bundles and of the packages that they import. */
export function compiledBundles(bundles: string): string {
  return join(bundles, 'compiled');
}

/**
 * Makes a bundle of each program in a folder of the repository, or of another checkout of it: its file, the parts that several
 * share, and what Node compiles of both when they are loaded. Packages of npm are not in them, nor are the files that services
 * read: they stay where they are.
 */
export async function buildServices(directory: string, checkout = repositoryDirectory): Promise<void> {
  // Images have no bundler.
  const { build } = await import('esbuild');
  await build({
    entryPoints: bundledPrograms.map(program => ({
      in: join(checkout, 'services', program, 'main.ts'),
      out: program,
    })),
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    chunkNames: 'part-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Functions keep their names and lines; `node --enable-source-maps` names the places in the sources.
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [ownCode(resolve(directory))],
  });
}

/** Takes the code of the repository alone into bundles, and keeps the places from which each of its files finds others. */
function ownCode(directory: string): Plugin {
  return {
    name: 'own code',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path }) =>
        path.startsWith('@binnacle/') ? undefined : { path, external: true },
      );
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const folder = JSON.stringify(`/${relative(directory, dirname(path))}`);
        const file = JSON.stringify(relative(directory, path));
        const contents = readFileSync(path, 'utf8')
          .replaceAll('import.meta.dirname', `(import.meta.dirname + ${folder})`)
          .replaceAll('import.meta.url', `new URL(${file}, import.meta.url).href`);
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** Loads each program once, so that Node keeps what it compiles of it: a start then costs half as much. */
export async function compileServices(bundles: string): Promise<void> {
  const env = { ...process.env, NODE_COMPILE_CACHE: compiledBundles(bundles) };
  const load = (program: BundledProgram) =>
    promisify(execFile)(process.execPath, [bundledProgram(bundles, program), '--help'], { env });
  await Promise.all(bundledPrograms.map(load));
}

/** The folder of the bundles of the sources as they are when this process first asks, which are made where they are not there. */
export function currentBundles(): Promise<string> {
  current ??= findOrBuild().catch(error => {
    current = undefined;
    throw error;
  });
  return current;
}

let current: Promise<string> | undefined;

async function findOrBuild(): Promise<string> {
  const bundles = join(cacheDirectory, digestSources(repositoryDirectory));
  await withInstallLock(cacheDirectory, async () => {
    if (existsSync(bundles)) {
      const now = new Date();
      utimesSync(bundles, now, now);
      return;
    }
    removeUnusedBundles();
    const unfinished = join(cacheDirectory, 'unfinished');
    rmSync(unfinished, { recursive: true, force: true });
    await buildServices(unfinished);
    renameSync(unfinished, bundles);
    await compileServices(bundles);
  });
  return bundles;
}

/** Digest of all that bundles are made of: sources, the packages that they import, the bundler and its options. */
export function digestSources(repository: string): string {
  const sources = [
    '{libs,proto,services}/**/*.{ts,json}',
    'package-lock.json',
    'deploy/compose/service-bundles.ts',
  ];
  const files = globSync(sources, { cwd: repository }).filter(name => !name.endsWith('.test.ts'));
  const hash = createHash('sha256').update(process.version);
  for (const file of files.sort()) hash.update(`\0${file}\0`).update(readFileSync(join(repository, file)));
  return hash.digest('hex').slice(0, 32);
}

function removeUnusedBundles(): void {
  for (const name of readdirSync(cacheDirectory)) {
    const path = join(cacheDirectory, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > unusedBundlesMs) rmSync(path, { recursive: true, force: true });
  }
}
