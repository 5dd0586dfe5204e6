import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesWithSuffix, isGenerated, sourceFiles } from '../source-scan/source-files.ts';
import { type SourceComment, scanSource, type Token } from '../source-scan/tokens.ts';
import { exceptions, exemptFiles, refusedWords } from './words.ts';

/** A text of a file, and whether it is a name or a sentence. */
interface Piece {
  readonly kind: 'names' | 'sentences';
  readonly text: string;
  readonly line: number;
}

/** Finds refused words in names, comments, messages and documents; returns one line for each. */
export function checkWords(root: string): string[] {
  const files = [
    ...sourceFiles(root),
    ...['.proto', '.md', '.yml', '.yaml', '.sh'].flatMap(suffix => filesWithSuffix(root, suffix)),
    ...documents(root),
  ].sort();
  return files
    .filter(file => !isGenerated(file) && ![...exemptFiles.keys()].some(start => file.startsWith(start)))
    .flatMap(file => violationsIn(file, readFileSync(join(root, file), 'utf8')));
}

function documents(root: string): string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return folder === '' && entry.name !== 'docs' ? [] : below(path);
      return /\.(md|yml)$/.test(entry.name) ? [path] : [];
    });
  return below('');
}

function violationsIn(file: string, source: string): string[] {
  const words = refusedWords.filter(
    ({ unlessFile }) => unlessFile === undefined || !unlessFile.has.test(source),
  );
  const content = withoutExceptions(source);
  const name: Piece = { kind: 'names', text: file.replace(/[-./]+/g, ' '), line: 0 };
  const pieces = file.endsWith('.ts') ? sourcePieces(content) : linePieces(content);
  const found = [name, ...pieces].flatMap(piece => {
    const text = plainText(piece.text);
    return words.flatMap(word => {
      const [match] =
        word.only === undefined || word.only === piece.kind ? (word.pattern.exec(text) ?? []) : [];
      return match === undefined ? [] : [`${place(file, piece.line)}: "${match}": write ${word.instead}`];
    });
  });
  if (!file.endsWith('.ts')) return found;
  const { tokens, comments } = scanSource(content);
  return [...found, ...vagueComments(file, comments), ...vagueTitles(file, tokens)];
}

function withoutExceptions(source: string): string {
  return exceptions.reduce((text, exception) => text.replaceAll(exception.text, ''), source);
}

function place(file: string, line: number): string {
  return line === 0 ? `${file} (its name)` : `${file}:${line}`;
}

/** The names and sentences of a source file. A string of one word is data, not a sentence. */
function sourcePieces(source: string): Piece[] {
  const { tokens, comments } = scanSource(source);
  return [...tokens.flatMap(tokenPieces), ...comments.flatMap(({ text, line }) => linePieces(text, line))];
}

function tokenPieces({ kind, text, line }: Token): Piece[] {
  if (kind === 'word') return [{ kind: 'names', text, line }];
  return (kind === 'string' || kind === 'template') && text.includes(' ') ? linePieces(text, line) : [];
}

function linePieces(text: string, from = 1): Piece[] {
  return text.split('\n').map((line, index) => ({ kind: 'sentences', text: line, line: from + index }));
}

/** Splits names at capitals and underscores, and puts all in lower case. */
function plainText(text: string): string {
  return text.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_/g, ' ').toLowerCase();
}

/** Comments that begin with "What": they do not say what a thing is or does. */
function vagueComments(file: string, comments: readonly SourceComment[]): string[] {
  return comments
    .filter(({ text, continues }) => !continues && /^(\/\/|\/\*\*?)[\s*]*What\b/.test(text))
    .map(
      ({ line }) =>
        `${file}:${line}: a comment begins with "What": say what the thing is, does or guarantees`,
    );
}

/** Titles of tests whose first word refers to the test before, or has no subject: they cannot be read alone. */
function vagueTitles(file: string, tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ text, line }, index) => {
    const [before, opening, title] = [tokens[index - 1], tokens[index + 1], tokens[index + 2]];
    const isTest = /^(test|it|describe|suite)$/.test(text) && opening?.text === '(' && before?.text !== '.';
    if (!isTest || (title?.kind !== 'string' && title?.kind !== 'template')) return [];
    const [word] = /^`?(and|it|so|what|which|who|whoever)\b/.exec(title.text) ?? [];
    return word === undefined
      ? []
      : [
          `${file}:${line}: a title begins with "${word.replace('`', '')}": name the subject and what is guaranteed`,
        ];
  });
}
