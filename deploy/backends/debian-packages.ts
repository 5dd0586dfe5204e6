import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { executableOnPath } from './locations.ts';
import { runCommand } from './run-command.ts';

/** Debian packages that are unpacked into a folder, beside what is installed on the system. */
interface UnpackedPackages {
  /** Fetched even where the system has them. */
  readonly packages: readonly string[];
  /** Replaced as a whole when the unpacking succeeds; untouched when it fails. */
  readonly directory: string;
  /** Unpacks also those of the packages' dependencies that the system lacks. */
  readonly withDependencies: boolean;
}

/**
 * Fetches Debian packages with apt-get and unpacks them with dpkg-deb. The system itself is not changed,
 * no daemon is started and no rights are needed; only where apt has no package lists at all does it run
 * `apt-get update`, which needs root.
 */
export async function unpackDebianPackages(options: UnpackedPackages): Promise<void> {
  for (const tool of ['apt-get', 'dpkg-deb']) {
    if (executableOnPath(tool) === undefined) {
      const wanted = options.packages.join(', ');
      throw new Error(`${wanted} missing, and so is ${tool} to fetch it: install it by hand`);
    }
  }
  mkdirSync(dirname(options.directory), { recursive: true });
  const staging = mkdtempSync(`${options.directory}.new-`);
  try {
    for (const name of options.packages) await refreshPackageLists(name);
    const dependencies = options.withDependencies ? await missingPackages(options.packages) : [];
    const archives = join(staging, 'archives');
    mkdirSync(archives);
    const names = [...new Set([...options.packages, ...dependencies])];
    await retryOnce(() =>
      runCommand('apt-get', ['download', '-q', ...names], { workingDirectory: archives }),
    );
    const root = join(staging, 'root');
    for (const archive of readdirSync(archives)) {
      await runCommand('dpkg-deb', ['-x', join(archives, archive), root]);
    }
    rmSync(options.directory, { recursive: true, force: true });
    renameSync(root, options.directory);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

async function missingPackages(names: readonly string[]): Promise<string[]> {
  const plan = await runCommand('apt-get', ['install', '-s', '-y', '--no-install-recommends', ...names]);
  return [...plan.matchAll(/^Inst (\S+)/gm)].map(match => match[1]!); // The pattern has one group.
}

async function refreshPackageLists(name: string): Promise<void> {
  if (await isKnown(name)) return;
  if (process.getuid?.() !== 0) {
    throw new Error(`apt does not know the package ${name}: run "apt-get update" as root, then try again`);
  }
  await retryOnce(() => runCommand('apt-get', ['update', '-q']));
  if (!(await isKnown(name))) throw new Error(`apt does not know the package ${name}`);
}

async function isKnown(name: string): Promise<boolean> {
  if (!existsSync('/var/lib/apt/lists')) return false;
  const policy = await runCommand('apt-cache', ['policy', name]);
  return /Candidate: (?!\(none\))/.test(policy);
}

async function retryOnce(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch {
    await action();
  }
}
