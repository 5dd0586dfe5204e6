import { readFileSync, statSync } from 'node:fs';
import { errorMessage } from '@binnacle/status-errors';
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { FlagError, type FlagSource, type FlagSpec, flagName, suggestion } from './parse-flags.ts';

const maxFileBytes = 1024 * 1024;

/**
 * Reads a YAML file of flag values: a mapping whose keys are flag names without leading dashes (`history-window: 5m`),
 * and whose values are texts as on the command line, or lists of texts for repeatable flags. Throws a `FlagError` that
 * names an unknown key, or a value of another type.
 */
export function readConfigFile(path: string, spec: FlagSpec): FlagSource {
  const names = new Map(Object.keys(spec).map(name => [flagName(name), name]));
  const given = new Map<string, readonly string[]>();
  const refuse = (reason: string): never => {
    throw new FlagError(`--config ${path}: ${reason}`);
  };
  for (const [key, value] of readEntries(path, refuse)) {
    const name = names.get(key);
    const flag = name === undefined ? undefined : spec[name];
    if (name === undefined || flag === undefined) {
      return refuse(`unknown key ${key}${suggestion('', key, [...names.keys()])}; see --help`);
    }
    if (typeof value !== 'string' && !flag.repeatable) refuse(`${key} accepts one value, not a list`);
    given.set(name, typeof value === 'string' ? [value] : value);
  }
  return { nameIn: name => `--config ${path}: ${flagName(name)}`, textsOf: name => given.get(name) };
}

/** Returns the keys of the file with their texts. */
function readEntries(
  path: string,
  refuse: (reason: string) => never,
): [string, string | readonly string[]][] {
  // In this schema every scalar is a text, so 5m, true and 8080 are parsed as on the command line.
  const lines = new LineCounter();
  const document = parseDocument(readText(path, refuse), {
    schema: 'failsafe',
    prettyErrors: false,
    lineCounter: lines,
  });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) refuse(`line ${lines.linePos(fault.pos[0]).line}: ${fault.message}`);
  const { contents } = document;
  if (contents === null || textOf(contents) === '') return [];
  if (!isMap(contents)) return refuse('must be a mapping of flag names to values');
  return contents.items.map(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : refuse('keys must be names of flags');
    const text = textOf(value as Node | null);
    if (text !== undefined) return [name, text];
    if (!isSeq(value)) return refuse(`${name} must be a string or a list of strings`);
    const texts = value.items.map(item => textOf(item as Node | null));
    return [name, texts.map(each => each ?? refuse(`${name} must be a string or a list of strings`))];
  });
}

function textOf(node: Node | null): string | undefined {
  return isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
}

function readText(path: string, refuse: (reason: string) => never): string {
  try {
    const { size } = statSync(path);
    if (size > maxFileBytes) refuse(`has ${size} bytes, more than ${maxFileBytes}`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof FlagError) throw error;
    return refuse(`cannot be read: ${errorMessage(error)}`);
  }
}
