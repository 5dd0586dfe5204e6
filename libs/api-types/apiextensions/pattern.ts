import { createContext, Script } from 'node:vm';

/** How long one value may take: expressions of strangers can be made to take for ever. */
const timeoutMs = 100;
const maxKept = 1000;
const kept = new Map<string, Script | undefined>();
const context = createContext({ value: '' });

const posixClasses: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};

/** Whether a text is a regular expression in the syntax of the field (RE2). */
export function isPattern(pattern: string): boolean {
  return compiled(pattern) !== undefined;
}

/** Whether a value has a match; false for a pattern that is none, and for one that takes too long. */
export function matchesPattern(pattern: string, value: string): boolean {
  const script = compiled(pattern);
  if (!script) return false;
  context['value'] = value;
  try {
    return script.runInContext(context, { timeout: timeoutMs }) === true;
  } catch {
    return false; // Only the timeout throws: the expression was compiled before.
  }
}

function compiled(pattern: string): Script | undefined {
  if (kept.has(pattern)) return kept.get(pattern);
  if (kept.size >= maxKept) kept.clear();
  const expression = expressionFrom(pattern);
  const script = expression && new Script(`${expression}.test(value)`);
  kept.set(pattern, script);
  return script;
}

/** Unicode mode refuses escapes that the field's syntax allows; they mean the same without it. */
function expressionFrom(pattern: string): RegExp | undefined {
  const [source, flags] = translated(pattern);
  for (const mode of ['u', '']) {
    try {
      return new RegExp(source, flags + mode);
    } catch {
      // Tried in the other mode, or not an expression.
    }
  }
  return undefined;
}

function translated(pattern: string): readonly [source: string, flags: string] {
  const leading = /^\(\?([ims]+)\)/.exec(pattern);
  const source = pattern
    .slice(leading?.[0].length ?? 0)
    .replaceAll(/\[:([a-z]+):\]/g, (whole, name: string) => posixClasses[name] ?? whole)
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\\([Az])/g, (_whole, end: string) => (end === 'A' ? '(?<![\\s\\S])' : '(?![\\s\\S])'));
  return [source, [...new Set(leading?.[1] ?? '')].join('')];
}
