import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The sources from which a program was built. Unknown values are empty. */
export interface Build {
  readonly gitCommit: string;
  /** `clean`, or `dirty` if tracked files were changed. */
  readonly gitTreeState: string;
  /** Date of the image, or of the commit of a checkout: `2026-11-27T08:00:00Z`. */
  readonly buildDate: string;
}

const unknownBuild: Build = { gitCommit: '', gitTreeState: '', buildDate: '1970-01-01T00:00:00Z' };

/** Timeout of a Git command, in ms, so that a large checkout on a slow disk does not delay a start. */
const gitTimeoutMs = 2_000;

/**
 * Returns the build of the program in a folder: from its `build-info.json`, which images write and `git archive` fills in, or from
 * Git if the folder is a checkout. A folder inside another checkout counts as unknown.
 */
export function readBuild(folder: string): Build {
  const file = join(folder, 'build-info.json');
  try {
    if (existsSync(join(folder, '.git'))) return readCheckout(folder);
    if (existsSync(file)) return buildFrom(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Without Git, in a checkout of another owner or without a commit, the build is unknown and the program runs.
  }
  return unknownBuild;
}

function buildFrom({ gitCommit = '', gitTreeState = '', buildDate }: Partial<Build>): Build {
  // A copy of the sources that is neither a checkout nor an archive has the placeholders of the archive.
  if (gitCommit.startsWith('$')) return unknownBuild;
  const date = buildDate ? new Date(buildDate).toISOString().replace('.000Z', 'Z') : unknownBuild.buildDate;
  return { gitCommit, gitTreeState, buildDate: date };
}

function readCheckout(folder: string): Build {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      // `GIT_*` variables of a hook or a shell may point to another checkout.
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: gitTimeoutMs,
    }).trim();
  const format = ['--date=format-local:%Y-%m-%dT%H:%M:%SZ', '--format=%H %cd'];
  const [gitCommit = '', buildDate = ''] = git('show', '--no-patch', ...format, 'HEAD').split(' ');
  const changes = git('--no-optional-locks', 'status', '--porcelain', '--untracked-files=no');
  return { gitCommit, gitTreeState: changes === '' ? 'clean' : 'dirty', buildDate };
}
