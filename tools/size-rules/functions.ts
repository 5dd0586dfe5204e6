import { readTokens, type Token } from '../source-scan/tokens.ts';

/** A function's body and the lines it takes, its signature included. */
interface FunctionSpan {
  readonly firstLine: number;
  readonly lines: number;
}

const statementWords = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'await']);
const openers = '([{';
const closers = ')]}';

/** The functions with a body in braces of a source file: declarations, methods and arrow functions. */
export function findFunctions(source: string): FunctionSpan[] {
  const tokens = readTokens(source);
  const partners = matchBrackets(tokens);
  const spans: FunctionSpan[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.text === '=>' && tokens[index + 1]?.text === '{') {
      addSpan(spans, tokens, { signature: index, body: index + 1, partners });
    }
    const isParameterList = token.kind === 'sign' && token.text === '(';
    if (!isParameterList || statementWords.has(tokens[index - 1]?.text ?? '')) continue;
    const end = partners.get(index);
    const body = end === undefined ? undefined : bodyAfter(tokens, end + 1, partners);
    if (body !== undefined) addSpan(spans, tokens, { signature: index, body, partners });
  }
  return spans;
}

function addSpan(
  spans: FunctionSpan[],
  tokens: readonly Token[],
  at: { signature: number; body: number; partners: ReadonlyMap<number, number> },
): void {
  const end = at.partners.get(at.body);
  if (end === undefined) return;
  const firstLine = tokens[at.signature]!.line; // Both are places in the list.
  spans.push({ firstLine, lines: tokens[end]!.line - firstLine + 1 });
}

function matchBrackets(tokens: readonly Token[]): Map<number, number> {
  const partners = new Map<number, number>();
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'sign') continue;
    if (openers.includes(token.text)) open.push(index);
    else if (closers.includes(token.text)) {
      const start = open.pop();
      if (start !== undefined) partners.set(start, index);
    }
  }
  return partners;
}

/** The brace that opens the body of a function whose parameter list ended before `start`. */
function bodyAfter(
  tokens: readonly Token[],
  start: number,
  partners: ReadonlyMap<number, number>,
): number | undefined {
  if (tokens[start]?.text === '{') return start;
  if (tokens[start]?.text !== ':') return undefined;
  // A return type: a brace in it follows a sign or a word that still expects a type.
  for (let index = start + 1; index < tokens.length; index++) {
    const { text } = tokens[index]!; // Below the length.
    const expectsType = /^(?:[:|&<,]|=>|extends|is|keyof|readonly)$/.test(tokens[index - 1]?.text ?? '');
    if (text === '{' && !expectsType) return index;
    if (openers.includes(text)) index = partners.get(index) ?? tokens.length;
    else if (/^(?:[;=)\]}?]|=>)$/.test(text)) return undefined;
  }
  return undefined;
}
