/** How much pods may do: everything, what does no known harm, or what is good practice. */
export type Level = (typeof levels)[number];

/** A level as it was in a release: the minor version, or the newest. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: number | 'latest';
}

/** The levels, the strictest last. */
export const levels = ['privileged', 'baseline', 'restricted'] as const;

/** The level of that name; undefined when there is none. */
export function parseLevel(text: string): Level | undefined {
  return levels.find(level => level === text);
}

/** The version of that name: `latest` or `v1.25`; undefined for anything else. */
export function parseLevelVersion(text: string): LevelVersion['version'] | undefined {
  if (text === 'latest') return text;
  const minor = /^v1\.(0|[1-9]\d{0,8})$/.exec(text)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

/** The text of it: `baseline:latest`. */
export function formatLevelVersion({ level, version }: LevelVersion): string {
  return `${level}:${version === 'latest' ? version : `v1.${version}`}`;
}

/** Whether the first level asks for more than the second. */
export function isStricter(level: Level, than: Level): boolean {
  return levels.indexOf(level) > levels.indexOf(than);
}
