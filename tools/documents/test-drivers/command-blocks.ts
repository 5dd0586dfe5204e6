import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryDirectory } from '../../source-scan/source-files.ts';

/**
 * The setting in which a test runs a block of commands:
 * - `standalone`: a clone of the repository beside the server of `make run`;
 * - `stopped`: the same clone after that server was stopped;
 * - `distributed`: the same beside the processes of `make run-distributed`;
 * - `etcd`: a folder with the credentials of the store's users, beside the same processes;
 * - `not run`: no test runs it, for the reason that the block has. Its syntax and the names of its files are checked.
 */
export type Setting = (typeof settings)[number];

/** A block of shell commands of a document. */
export interface CommandBlock {
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
  readonly setting: Setting;
  /** `starts`: it begins the server of the setting and goes on. `fails`: its last command ends with another status than 0. */
  readonly outcome: 'ends' | 'starts' | 'fails';
  /** The reason of a block that is not run. */
  readonly reason?: string;
  readonly commands: string;
}

const settings = ['standalone', 'stopped', 'distributed', 'etcd', 'not run'] as const;

/** A fenced block: indentation, the language with what follows it, the lines. */
const fence = /^( *)```(\S*)(?: +(.*))?\n([\s\S]*?)^\1```$/gm;

/** A line that only a shell understands. */
const command =
  /^(\$ |sudo |make |npm |node |kubectl |docker |bin\/binnaclectl |binnaclectl |curl |cd |export )/m;

/** The documents with commands. */
export function documentFiles(): string[] {
  return globSync('{*.md,docs/**/*.md,deploy/*/README.md,tests/*/README.md}', {
    cwd: repositoryDirectory,
  }).sort();
}

/**
 * The blocks of commands of a document, in order. The words behind the language of a fence are the mark: a setting and an outcome
 * (`standalone fails`), or `not run: ` and the reason. Throws for a block of commands without a mark, and for a mark that is none.
 */
export function readCommandBlocks(
  file: string,
  text = readFileSync(join(repositoryDirectory, file), 'utf8'),
): CommandBlock[] {
  return [...text.matchAll(fence)].flatMap(match => {
    const [, indentation = '', language = '', mark = '', lines = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    if (language !== 'sh') {
      if (language === '' && command.test(lines))
        throw new Error(`${file}:${line}: commands stand in a block of sh`);
      return [];
    }
    const commands = lines.replaceAll(new RegExp(`^${indentation}`, 'gm'), '');
    return [{ file, line, ...parseMark(`${file}:${line}`, mark), commands }];
  });
}

function parseMark(place: string, mark: string): Pick<CommandBlock, 'setting' | 'outcome' | 'reason'> {
  const [, reason] = /^not run: (\S.*)$/.exec(mark) ?? [];
  if (reason !== undefined) return { setting: 'not run', outcome: 'ends', reason };
  const [, name = '', outcome = 'ends'] = /^([a-z]+)(?: (starts|fails))?$/.exec(mark) ?? [];
  const setting = settings.find(each => each === name);
  if (setting === undefined)
    throw new Error(
      `${place}: the block needs a mark: ${settings.slice(0, -1).join(', ')}, or "not run: REASON"`,
    );
  return { setting, outcome: outcome as CommandBlock['outcome'] }; // The pattern has no other.
}
