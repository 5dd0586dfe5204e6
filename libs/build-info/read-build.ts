import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The sources that a program is made of. Texts are empty where nothing tells. */
export interface Build {
  readonly gitCommit: string;
  /** `clean`, or `dirty` where files of the commit were changed. */
  readonly gitTreeState: string;
  /** `2026-11-27T08:00:00Z`: of the image, or of the commit of a checkout. */
  readonly buildDate: string;
}

const unknownBuild: Build = { gitCommit: '', gitTreeState: '', buildDate: '1970-01-01T00:00:00Z' };

/** Git of a large checkout on a slow disk; a start does not wait longer for it. */
const gitTimeoutMs = 2_000;

/**
 * The build of the program in a folder: as its file `build-info.json` says, which images have, or as Git says of the checkout
 * that the folder is. A folder within another checkout is not asked about.
 */
export function readBuild(folder: string): Build {
  const file = join(folder, 'build-info.json');
  try {
    if (existsSync(file)) return buildFrom(JSON.parse(readFileSync(file, 'utf8')));
    if (existsSync(join(folder, '.git'))) return readCheckout(folder);
  } catch {
    // No Git, a checkout of another owner, or one without a commit: the program runs all the same.
  }
  return unknownBuild;
}

function buildFrom(content: Partial<Build>): Build {
  return {
    gitCommit: String(content.gitCommit ?? ''),
    gitTreeState: String(content.gitTreeState ?? ''),
    buildDate: String(content.buildDate || unknownBuild.buildDate),
  };
}

function readCheckout(folder: string): Build {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      // Those of a hook, or of a shell that works on another checkout, would speak of that one.
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: gitTimeoutMs,
    }).trim();
  const format = ['--date=format-local:%Y-%m-%dT%H:%M:%SZ', '--format=%H %cd'];
  const [gitCommit = '', buildDate = ''] = git('show', '--no-patch', ...format, 'HEAD').split(' ');
  const changes = git('--no-optional-locks', 'status', '--porcelain', '--untracked-files=no');
  return { gitCommit, gitTreeState: changes === '' ? 'clean' : 'dirty', buildDate };
}
