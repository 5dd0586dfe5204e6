/** The pod security levels: unrestricted, without known privilege escalations, or hardened by best practice. */
export type Level = (typeof levels)[number];

/** A level in a version: a minor version, or the newest. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: number | 'latest';
}

/** The levels, the strictest last. */
export const levels = ['privileged', 'baseline', 'restricted'] as const;

/** Parses the name of a level; returns undefined for unknown names. */
export function parseLevel(text: string): Level | undefined {
  return levels.find(level => level === text);
}

/** Parses a version, `latest` or `v1.25`; returns undefined for other texts. */
export function parseLevelVersion(text: string): LevelVersion['version'] | undefined {
  if (text === 'latest') return text;
  const minor = /^v1\.(0|[1-9]\d{0,8})$/.exec(text)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

/** Formats a level and its version: `baseline:latest`. */
export function formatLevelVersion({ level, version }: LevelVersion): string {
  return `${level}:${version === 'latest' ? version : `v1.${version}`}`;
}

/** Whether a level is stricter than another one. */
export function isStricter(level: Level, than: Level): boolean {
  return levels.indexOf(level) > levels.indexOf(than);
}
