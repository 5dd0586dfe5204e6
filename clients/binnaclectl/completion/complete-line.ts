import type { Flag, FlagTable } from '../arguments/flag.ts';
import { globalFlags } from '../arguments/global-flags.ts';
import { flagName } from '../arguments/parse-arguments.ts';
import type { Command } from '../commands/command.ts';
import { commands } from '../commands/commands.ts';
import { everyFlag, findCommand } from '../commands/find-command.ts';
import { completedShells } from '../shells/completed-shells.ts';
import type { Candidate, CandidateSource } from './candidate-source.ts';
import { type PartialLine, readPartialLine } from './partial-line.ts';

/** The candidates for the last word of a command line. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Whether a file can stand there. */
  readonly allowsFiles: boolean;
  /** Whether more of the word follows a candidate. */
  readonly goesOn: boolean;
}

const verbs = 'get list watch create update patch delete deletecollection'.split(' ');
/** Characters that a shell would interpret; names that have some are left out. */
const interpreted = /[\s\p{Cc}'"`$\\;|&<>(){}*?!#[\]]/u;
const filePlaceholders = new Set(['file', 'files', 'folder', 'dir']);

/** Finds the candidates for the last word of a command line: commands, flags and their values, and what the usage of the command names. */
export async function completeLine(line: readonly string[], source: CandidateSource): Promise<Completion> {
  const partial = readPartialLine(everyFlag(), line);
  const { current, words, flagsAreOver } = partial;
  const command = findCommand(words);
  // The command's own flag has other values than that of the same name of another command.
  const flag = command?.flags[partial.flagName] ?? partial.flag;
  const found = partial.isValue
    ? await completeValue(partial.flagName, flag, source)
    : current.startsWith('-') && !flagsAreOver
      ? createCompletion(flagCandidates({ ...command?.flags, ...globalFlags }, current))
      : command === undefined || words.length < command.name.split(' ').length
        ? createCompletion(commandCandidates(words))
        : await completeArgument(command, partial, source);
  const candidates = found.candidates.filter(
    ({ text }) => text.startsWith(current) && !interpreted.test(text),
  );
  return { ...found, candidates };
}

function createCompletion(candidates: readonly Candidate[], goesOn = false): Completion {
  return { candidates, allowsFiles: false, goesOn };
}

const files: Completion = { candidates: [], allowsFiles: true, goesOn: false };

function textCandidates(texts: readonly string[]): Candidate[] {
  return texts.map(text => ({ text }));
}

async function completeValue(
  name: string,
  flag: Flag<unknown> | undefined,
  source: CandidateSource,
): Promise<Completion> {
  if (flag === undefined) return createCompletion([]);
  switch (name) {
    case 'namespace':
      return createCompletion(textCandidates(await source.namespaces()));
    case 'context':
      return createCompletion(textCandidates(source.entries('contexts')));
    case 'cluster':
      return createCompletion(textCandidates(source.entries('clusters')));
    case 'user':
      return createCompletion(textCandidates(source.entries('users')));
  }
  if (flag.placeholder === '') return createCompletion(textCandidates(['true', 'false']));
  if (filePlaceholders.has(flag.placeholder)) return files;
  return createCompletion(textCandidates(flag.values ?? []));
}

function flagCandidates(table: FlagTable, current: string): Candidate[] {
  return Object.entries(table)
    .flatMap(([name, { short, description }]) => [
      { text: `--${flagName(name)}`, description },
      // Letters are shown where nothing else is written.
      ...(short !== undefined && current === '-' ? [{ text: `-${short}`, description }] : []),
    ])
    .toSorted((a, b) => (a.text < b.text ? -1 : 1));
}

/** The next word of the commands that begin with some words. */
function commandCandidates(words: readonly string[]): Candidate[] {
  const [first, ...others] = words;
  if (first === 'help') return commandCandidates(others);
  const candidates = new Map<string, Candidate>();
  if (first === undefined)
    candidates.set('help', { text: 'help', description: 'Shows help about a command.' });
  for (const { name, summary } of commands) {
    const parts = name.split(' ');
    const text = parts[words.length];
    if (text === undefined || words.some((word, index) => word !== parts[index])) continue;
    const isWhole = parts.length === words.length + 1;
    if (isWhole) candidates.set(text, { text, description: summary });
    else if (!candidates.has(text)) candidates.set(text, { text, description: `Commands: ${text} …` });
  }
  return [...candidates.values()];
}

/** Candidates for a word after the name of a command, as its usage names them. */
async function completeArgument(
  { name, usage }: Command,
  { words, current }: PartialLine,
  source: CandidateSource,
): Promise<Completion> {
  const given = words.slice(name.split(' ').length);
  const names = new Set(usage.match(/[A-Z_]+/g));
  if (names.has('VERB')) {
    if (given.length === 0) return createCompletion(textCandidates(verbs));
    return given.length === 1 ? createCompletion(await source.types(undefined)) : createCompletion([]);
  }
  if (names.has('TYPE')) return await completeObject(given, current, { source, named: names.has('NAME') });
  if (names.has('CONTEXT'))
    return createCompletion(textCandidates(source.entries('contexts').filter(text => !given.includes(text))));
  if (names.has('SHELL')) return createCompletion(given.length === 0 ? textCandidates(completedShells) : []);
  const isFirst = given.length === 0 && !/^-f\b/.test(usage);
  return names.has('FILE') && isFirst ? files : createCompletion([]);
}

/** A type, several by commas, `TYPE/NAME`, or the names of objects after a type. */
async function completeObject(
  given: readonly string[],
  current: string,
  { source, named }: { readonly source: CandidateSource; readonly named: boolean },
): Promise<Completion> {
  const slash = current.indexOf('/');
  const isMixed = given.some(word => word.includes('/'));
  if (named && slash > 0 && (given.length === 0 || isMixed)) {
    const type = current.slice(0, slash);
    const names = await source.names(type);
    return createCompletion(
      textCandidates(names.map(name => `${type}/${name}`).filter(text => !given.includes(text))),
    );
  }
  const [type] = given;
  if (type === undefined) {
    const listed = current.slice(0, current.lastIndexOf(',') + 1);
    const types = await source.types('list');
    return createCompletion(types.map(({ text, ...rest }) => ({ text: listed + text, ...rest })));
  }
  if (!named) return createCompletion([]);
  if (isMixed) {
    const types = await source.types('list');
    return createCompletion(
      types.map(({ text, ...rest }) => ({ text: `${text}/`, ...rest })),
      true,
    );
  }
  const names = await source.names(type);
  return createCompletion(textCandidates(names.filter(name => !given.slice(1).includes(name))));
}
