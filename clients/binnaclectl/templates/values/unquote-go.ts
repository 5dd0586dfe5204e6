const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** One escape after its backslash: a byte in hexadecimal or octal digits, or a character. */
const codeEscape = /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})/y;

/**
 * The text that a quoted text of Go stands for, in double or single quotes, with Go's escapes; undefined where it is not well formed.
 * Bytes that are no UTF-8 are replaced.
 */
export function unquoteGo(quoted: string): string | undefined {
  const quote = quoted[0];
  if (quoted.length < 2 || (quote !== '"' && quote !== "'") || quoted.at(-1) !== quote) return undefined;
  const text = quoted.slice(1, -1);
  const parts: Buffer[] = [];
  let at = 0;
  while (at < text.length) {
    const special = text.slice(at).search(/[\\'"]/);
    const plainEnd = special < 0 ? text.length : at + special;
    if (plainEnd > at) parts.push(Buffer.from(text.slice(at, plainEnd)));
    at = plainEnd;
    if (at === text.length) break;
    if (text[at] !== '\\') {
      if (text[at] === quote) return undefined;
      parts.push(Buffer.from(text[at++] ?? ''));
      continue;
    }
    const read = readEscape(text, at + 1, quote);
    if (read === undefined) return undefined;
    parts.push(read.bytes);
    at = read.end;
  }
  return Buffer.concat(parts).toString('utf8');
}

function readEscape(text: string, at: number, quote: string): { bytes: Buffer; end: number } | undefined {
  const letter = text[at] ?? '';
  const simple = Object.hasOwn(simpleEscapes, letter) ? simpleEscapes[letter] : undefined;
  if (simple !== undefined || letter === quote) return { bytes: Buffer.from(simple ?? letter), end: at + 1 };
  codeEscape.lastIndex = at;
  const found = codeEscape.exec(text);
  if (found === null) return undefined;
  const [all, byte, short, long, octal] = found;
  const end = at + all.length;
  if (byte !== undefined || octal !== undefined) {
    const value = byte === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(byte, 16);
    return value > 255 ? undefined : { bytes: Buffer.from([value]), end };
  }
  const code = Number.parseInt(short ?? long ?? '', 16);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code > 0x10ffff || isSurrogate ? undefined : { bytes: Buffer.from(String.fromCodePoint(code)), end };
}
