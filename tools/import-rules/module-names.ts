import { readTokens, type Token } from '../source-scan/tokens.ts';

/** A name that a module exports. */
interface ExportedName {
  readonly name: string;
  readonly line: number;
  /** Whether the module itself uses it, besides exporting it. */
  readonly usedInside: boolean;
}

/** Names that a module takes from another one; `everything` for a namespace, a re-export of all or a dynamic import. */
interface TakenNames {
  readonly specifier: string;
  readonly names: readonly string[] | 'everything';
  /** Whether all of the other module's exports become exports of this one: `export * from`. */
  readonly passedOn: boolean;
}

/** The names that a module exports, and those that it imports. */
export interface ModuleNames {
  readonly exported: readonly ExportedName[];
  readonly taken: readonly TakenNames[];
}

/** Words between `export` and the name that a declaration exports. */
const declarationWords = new Set([
  'declare',
  'abstract',
  'async',
  'const',
  'let',
  'var',
  'function',
  'class',
  'interface',
  'type',
]);

/** Reads the imports and exports of a source file. A default export has the name `default`. */
export function readModuleNames(source: string): ModuleNames {
  const tokens = readTokens(source);
  const exported: Omit<ExportedName, 'usedInside'>[] = [];
  const taken: TakenNames[] = [];
  let depth = 0;
  for (let index = 0; index < tokens.length; index++) {
    const { kind, text } = tokens[index]!; // Inside the list.
    if (kind === 'sign' && '({['.includes(text)) depth++;
    if (kind === 'sign' && ')}]'.includes(text)) depth--;
    if (kind !== 'word' || tokens[index - 1]?.text === '.') continue;
    if (text === 'import' && tokens[index + 1]?.text === '(') {
      const specifier = tokens[index + 2];
      if (specifier?.kind === 'string')
        taken.push({ specifier: specifier.text, names: dynamicNames(tokens, index), passedOn: false });
    } else if (depth === 0 && text === 'import') {
      const statement = importStatement(tokens, index);
      if (statement !== undefined) taken.push(statement);
    } else if (depth === 0 && text === 'export') {
      readExport(tokens, index, { exported, taken });
    }
  }
  const occurrences = countWords(tokens);
  const isUsedInside = ({ name }: { name: string }) => (occurrences.get(name) ?? 0) > 1;
  return {
    exported: exported.map(each => ({ ...each, usedInside: isUsedInside(each) })),
    taken,
  };
}

/** Counts the occurrences of each word, in templates too. */
function countWords(tokens: readonly Token[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, text } of tokens) {
    const words = kind === 'word' ? [text] : kind === 'template' ? (text.match(/[\w$]+/g) ?? []) : [];
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

function importStatement(tokens: readonly Token[], start: number): TakenNames | undefined {
  const from = findFrom(tokens, start + 1);
  if (from === undefined) return undefined;
  const clause = tokens.slice(start + 1, from);
  const specifier = tokens[from + 1]?.text ?? '';
  if (clause.some(token => token.text === '*')) return { specifier, names: 'everything', passedOn: false };
  const brace = clause.findIndex(token => token.text === '{');
  const names = brace < 0 ? [] : listedNames(clause.slice(brace)).map(({ own }) => own);
  const before = (brace < 0 ? clause : clause.slice(0, brace)).filter(token => token.text !== ',');
  // `import type from` has a default that is called type; before braces the word is no name.
  if (before.length > 0 && !(before.length === 1 && before[0]?.text === 'type' && brace >= 0))
    names.push('default');
  return { specifier, names, passedOn: false };
}

function readExport(
  tokens: readonly Token[],
  start: number,
  { exported, taken }: { exported: Omit<ExportedName, 'usedInside'>[]; taken: TakenNames[] },
): void {
  const { line } = tokens[start]!; // The word `export`.
  let index = start + 1;
  if (tokens[index]?.text === 'type' && '{*'.includes(tokens[index + 1]?.text ?? '.')) index++;
  const first = tokens[index]?.text;
  if (first === '*') {
    const from = findFrom(tokens, index) ?? index;
    const specifier = tokens[from + 1]?.text ?? '';
    const isNamespace = tokens[index + 1]?.text === 'as';
    if (isNamespace) exported.push({ name: tokens[index + 2]?.text ?? '', line });
    taken.push({ specifier, names: isNamespace ? 'everything' : [], passedOn: !isNamespace });
  } else if (first === '{') {
    const end = closingBrace(tokens, index);
    const names = listedNames(tokens.slice(index, end + 1));
    exported.push(...names.map(({ given, line }) => ({ name: given, line })));
    const isFrom = tokens[end + 1]?.text === 'from' && tokens[end + 2]?.kind === 'string';
    const specifier = isFrom ? tokens[end + 2]?.text : undefined;
    if (specifier !== undefined)
      taken.push({ specifier, names: names.map(({ own }) => own), passedOn: false });
  } else if (first === 'default') exported.push({ name: 'default', line });
  else {
    while (declarationWords.has(tokens[index]?.text ?? '') || tokens[index]?.text === '*') index++;
    exported.push({ name: tokens[index]?.text ?? '', line: tokens[index]?.line ?? line });
  }
}

/** The place of the `from` that ends an import or export clause; undefined where there is none. */
function findFrom(tokens: readonly Token[], start: number): number | undefined {
  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index]!; // Inside the list.
    if (token.kind === 'string' || token.text === ';' || token.text === '=') return undefined;
    if (token.text === 'from' && tokens[index + 1]?.kind === 'string') return index;
  }
  return undefined;
}

function closingBrace(tokens: readonly Token[], start: number): number {
  const end = tokens.findIndex((token, index) => index > start && token.text === '}');
  return end < 0 ? tokens.length - 1 : end;
}

/** The names between braces: `type a as b` is `a` of its module and given as `b`. */
function listedNames(braces: readonly Token[]): { own: string; given: string; line: number }[] {
  const names: { own: string; given: string; line: number }[] = [];
  let words: Token[] = [];
  for (const token of braces.slice(1)) {
    if (token.text !== ',' && token.text !== '}') {
      words.push(token);
      continue;
    }
    // `type` alone is a name; before another one it is a mark.
    if (words.length > 1 && words[0]?.text === 'type' && words[1]?.text !== 'as') words.shift();
    const own = words[0];
    const given = words.at(-1);
    if (own !== undefined && given !== undefined)
      names.push({ own: own.text, given: given.text, line: given.line });
    words = [];
  }
  return names;
}

/** The names taken from a dynamic import: `const { a } = await import()`, `(await import()).a`, or everything. */
function dynamicNames(tokens: readonly Token[], start: number): readonly string[] | 'everything' {
  const awaited = tokens[start - 1]?.text === 'await' ? start - 1 : start;
  const after = start + 4; // import ( specifier )
  if (tokens[after]?.text === ')' && tokens[after + 1]?.text === '.') return [tokens[after + 2]?.text ?? ''];
  if (tokens[awaited - 1]?.text !== '=' || tokens[awaited - 2]?.text !== '}') return 'everything';
  let open = awaited - 2;
  while (open > 0 && tokens[open]?.text !== '{') open--;
  const names = tokens.slice(open + 1, awaited - 2).map(token => token.text);
  return names.filter((name, index) => name !== ',' && names[index - 1] !== ':' && name !== ':');
}
