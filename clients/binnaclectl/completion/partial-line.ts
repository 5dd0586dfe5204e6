import type { Flag, FlagTable } from '../arguments/flag.ts';
import { flagName } from '../arguments/parse-arguments.ts';

/** A command line up to the word that is being written. */
export interface PartialLine {
  /** The words and flags before it that are whole. */
  readonly argv: readonly string[];
  /** The words among them that are no flags. */
  readonly words: readonly string[];
  /** Whether the current word is the value of a flag, or has it after `=`. */
  readonly isValue: boolean;
  /** The flag; undefined where there is none of that name. */
  readonly flag: Flag<unknown> | undefined;
  readonly flagName: string;
  /** The part of the current word that is to be completed. */
  readonly current: string;
  /** Whether flags are over: after `--`. */
  readonly flagsAreOver: boolean;
}

/** Reads a command line whose last word is being written. Flags that do not exist count as switches. */
export function readPartialLine(table: FlagTable, line: readonly string[]): PartialLine {
  const before = line.slice(0, -1);
  const last = line.at(-1) ?? '';
  const flags = new Map<string, [name: string, flag: Flag<unknown>]>();
  for (const [name, flag] of Object.entries(table)) {
    flags.set(`--${flagName(name)}`, [name, flag]);
    if (flag.short !== undefined) flags.set(`-${flag.short}`, [name, flag]);
  }
  const words: string[] = [];
  let pending: string | undefined;
  let flagsAreOver = false;
  for (const word of before) {
    if (pending !== undefined) pending = undefined;
    else if (flagsAreOver || word === '-' || !word.startsWith('-')) words.push(word);
    else if (word === '--') flagsAreOver = true;
    else pending = findPending(word, flags);
  }
  const common = { words, flagsAreOver };
  const equals = pending === undefined && !flagsAreOver && last.startsWith('-') ? last.indexOf('=') : -1;
  const written = pending ?? (equals < 0 ? undefined : last.slice(0, equals));
  const [name = '', flag] = (written === undefined ? undefined : flags.get(written)) ?? [];
  return {
    ...common,
    argv: pending === undefined ? before : before.slice(0, -1),
    isValue: written !== undefined,
    flag,
    flagName: name,
    current: equals < 0 ? last : last.slice(equals + 1),
  };
}

/** The flag at the end of a word that lacks its value; of letters together the last one can. */
function findPending(
  word: string,
  flags: ReadonlyMap<string, readonly [string, Flag<unknown>]>,
): string | undefined {
  if (word.startsWith('--')) return needsValue(word, flags) ? word : undefined;
  for (const [index, letter] of [...word.slice(1)].entries()) {
    const name = `-${letter}`;
    if (needsValue(name, flags)) return index === word.length - 2 ? name : undefined;
  }
  return undefined;
}

function needsValue(name: string, flags: ReadonlyMap<string, readonly [string, Flag<unknown>]>): boolean {
  const found = flags.get(name);
  return found !== undefined && found[1].bare === undefined;
}
