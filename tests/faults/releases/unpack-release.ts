import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

/** The revision of this repository that counts as the last release: `BINNACLE_LAST_RELEASE`, else that in `deploy/releases/last`. */
export async function lastRelease(): Promise<string> {
  const { BINNACLE_LAST_RELEASE: given } = process.env;
  return given || (await readFile(join(root, 'deploy/releases/last'), 'utf8')).trim();
}

/** Why the last release is not here: the sources are no checkout, or one without its history; undefined where it is. */
export async function missingHistory(): Promise<string | undefined> {
  const isShallow = await git('rev-parse', '--is-shallow-repository').catch(() => undefined);
  if (isShallow === undefined) return 'these sources are no checkout';
  if (isShallow === 'true') return 'this checkout has no history: clone it without --depth';
  const release = await lastRelease();
  const isHere = await git('cat-file', '-e', `${release}^{commit}`).then(
    () => true,
    () => false,
  );
  return isHere ? undefined : `this checkout does not have the revision ${release}`;
}

/**
 * Unpacks a revision of this repository into a folder, with its packages: of others those that are installed here, where all are, else
 * installed anew.
 */
export async function unpackRelease(revision: string, folder: string): Promise<void> {
  const gitCommit = await git('rev-parse', '--verify', `${revision}^{commit}`);
  await mkdir(folder, { recursive: true });
  const archive = join(folder, 'archive.tar');
  await git('archive', `--output=${archive}`, gitCommit);
  await run('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
  const build = { gitCommit, gitTreeState: 'clean', buildDate: '' };
  await writeFile(join(folder, 'build-info.json'), JSON.stringify(build));
  const [own, theirs] = [await readLock(root), await readLock(folder)];
  const isHere = packagesOfOthers(theirs).every(([path, { version }]) => own[path]?.version === version);
  if (isHere) await linkPackages(theirs, folder);
  else await run('npm', ['ci', '--prefer-offline', '--no-fund', '--no-audit'], { cwd: folder });
}

async function git(...args: string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', root, ...args]);
  return stdout.trim();
}

/** The packages of a lockfile by their paths. */
type Lock = Readonly<
  Record<string, { readonly version?: string; readonly link?: boolean; readonly resolved?: string }>
>;

async function readLock(folder: string): Promise<Lock> {
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Lock;
  };
  return packages;
}

function packagesOfOthers(lock: Lock): [path: string, installed: Lock[string]][] {
  return Object.entries(lock).filter(([path, { link }]) => path.includes('node_modules/') && !link);
}

/** Links the packages of others to those of this repository, and its own packages to the folder. */
async function linkPackages(lock: Lock, folder: string): Promise<void> {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')];
  await mkdir(to);
  for (const name of await readdir(from))
    if (name !== '@binnacle' && !name.startsWith('.'))
      await symlink(await realpath(join(from, name)), join(to, name));
  for (const [path, { link, resolved = '' }] of Object.entries(lock)) {
    if (link !== true) continue;
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    await symlink(relative(dirname(place), join(folder, resolved)), place);
  }
}
