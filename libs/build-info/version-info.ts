import { resolve } from 'node:path';
import { type Build, readBuild } from './read-build.ts';

/** The content of `/version`: the API release of the server, and its own version. */
interface VersionInfo extends Build {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/** The release of this program. */
export const release = '0.1.0';
const root = resolve(import.meta.dirname, '../..');
let known: VersionInfo | undefined;

/** Returns the version of this program, which is read once. */
export function versionInfo(): VersionInfo {
  known ??= {
    major: '1',
    minor: '26',
    gitVersion: `v1.26.0+binnacle-${release}`,
    ...readBuild(root),
    goVersion: '',
    compiler: `node ${process.version}`,
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
  return known;
}

/** Returns the line that `--version` prints: `gateway 0.1.0 (API 1.26, commit 6a5da124, 2026-11-27T12:38:35Z)`. */
export function versionLine(program: string): string {
  const { major, minor, gitCommit, gitTreeState, buildDate } = versionInfo();
  const commit = gitCommit === '' ? [] : [`commit ${gitCommit.slice(0, 12)}`, buildDate];
  const changed = gitTreeState === 'dirty' ? ['changed since'] : [];
  return `${program} ${release} (${[`API ${major}.${minor}`, ...commit, ...changed].join(', ')})`;
}

/** Returns the release and, where it is known, the commit of this program: `0.1.0 6a5da1240b1c`. */
export function ownBuild(): string {
  const { gitCommit } = versionInfo();
  return gitCommit === '' ? release : `${release} ${gitCommit.slice(0, 12)}`;
}
