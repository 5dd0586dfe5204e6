import { CST } from 'yaml';

type ScalarToken = CST.FlowScalar | CST.BlockScalar;

/** Longer scalars, in characters, are read in pieces. */
export const longScalar = 32_768;
/** Approximate length of a piece in characters, read in well under 1 ms. */
const pieceLength = 16_384;
/** A text that cannot be cut within this many characters is refused. */
const longestPiece = 524_288;

/** Whether reading a scalar in one step would take too long. Plain text on one line needs no processing. */
export function isLongScalar(token: CST.Token | null | undefined): token is ScalarToken {
  switch (token?.type) {
    case 'scalar':
      return token.source.length > longScalar && token.source.includes('\n');
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
    case 'block-scalar':
      return token.source.length > longScalar;
    default:
      return false;
  }
}

/** Returns a token of the same type with minimal text. */
export function withoutText(token: ScalarToken): ScalarToken {
  switch (token.type) {
    case 'block-scalar':
      return { ...token, source: '' };
    case 'single-quoted-scalar':
      return { ...token, source: "''" };
    case 'double-quoted-scalar':
      return { ...token, source: '""' };
    default:
      return { ...token, source: 'a' };
  }
}

/** Reads the text of a long scalar in pieces, each like a scalar of its own. Yields between pieces. */
export function* longText(token: ScalarToken): Generator<void, string> {
  const texts: string[] = [];
  for (const piece of token.type === 'block-scalar' ? blockPieces(token) : flowPieces(token)) {
    const resolved = CST.resolveAsScalar(piece, true, (_, __, message) => {
      throw new Error(message);
    });
    texts.push(resolved?.value ?? '');
    yield;
  }
  // A folded text is cut at a folded line break.
  const isFolded = token.type === 'block-scalar' && findHeader(token).source.startsWith('>');
  return texts.join(isFolded ? ' ' : '');
}

function* flowPieces(token: CST.FlowScalar): Generator<CST.FlowScalar> {
  const quote =
    token.type === 'single-quoted-scalar' ? "'" : token.type === 'double-quoted-scalar' ? '"' : '';
  const end = token.source.length;
  for (let start = 0; start < end; ) {
    const cut = placeToCut(token.source, start);
    const opening = start === 0 ? '' : quote;
    const closing = cut === end ? '' : quote;
    yield { ...token, source: opening + token.source.slice(start, cut) + closing };
    start = cut;
  }
}

/** Returns a position between two characters that have the same meaning in every context. */
function placeToCut(source: string, start: number): number {
  if (source.length - start <= pieceLength) return source.length;
  for (let place = start + pieceLength; place < source.length; place++) {
    if (place - start > longestPiece) throw new Error('a text has too many blanks or backslashes in a row');
    const before = source.charCodeAt(place - 1);
    const after = source.charCodeAt(place);
    if (after === backslashCode ? isOrdinary(before) : isWordCode(after) && isOutsideEscapes(source, place))
      return place;
  }
  return source.length;
}

const backslashCode = 0x5c;
/** Maximum length of an escape. */
const longestEscape = 10;

/** Whether a character is no blank, quote or backslash. */
function isOrdinary(code: number): boolean {
  return code > 0x20 && code !== backslashCode && code !== 0x22 && code !== 0x27;
}

/** Whether a character is a letter, a digit or beyond ASCII: plain text can start with it. */
function isWordCode(code: number): boolean {
  return code > 0x7f || /[A-Za-z0-9]/.test(String.fromCharCode(code));
}

function isOutsideEscapes(source: string, place: number): boolean {
  if (!isOrdinary(source.charCodeAt(place - 1))) return false;
  for (let i = place - 1; i >= place - longestEscape; i--)
    if (source.charCodeAt(i) === backslashCode) return false;
  return true;
}

function* blockPieces(token: CST.BlockScalar): Generator<CST.BlockScalar> {
  const header = findHeader(token);
  const isFolded = header.source.startsWith('>');
  const indent = findIndent(token, header.source);
  const end = token.source.length;
  for (let start = 0; start < end; ) {
    const cut = lineToCut(token.source, { start, indent, isFolded });
    const isLast = cut === end;
    const chomping = isLast ? header.source.replace(/[^+-]/g, '') : isFolded ? '-' : '+';
    const isFirst = start === 0;
    // The indicator is the indentation of the text relative to the token.
    const indicator = isFirst ? header.source.replace(/\D/g, '') : '1';
    yield {
      ...token,
      indent: isFirst ? token.indent : indent - 1,
      props: [{ ...header, source: `${header.source[0]}${indicator}${chomping}` }],
      source: token.source.slice(start, cut),
    };
    start = cut;
  }
}

function findHeader({ props: [header] }: CST.BlockScalar): CST.SourceToken {
  if (header?.type !== 'block-scalar-header') throw new Error('Block scalar header not found');
  return header;
}

/** Returns the indentation of a block scalar: that of its header, otherwise that of its first line. */
function findIndent({ indent, source }: CST.BlockScalar, header: string): number {
  const said = header.replace(/\D/g, '');
  if (said !== '') return indent + Number(said);
  let line = 0;
  for (let i = 0; i < source.length; i++) {
    if (source[i] === '\n') line = i + 1;
    else if (source[i] !== ' ' && source[i] !== '\r') return i - line;
  }
  return 0;
}

interface Cutting {
  readonly start: number;
  readonly indent: number;
  readonly isFolded: boolean;
}

/** Returns the start of a line with text; in a folded text, of a line that is not indented further and follows such a line. */
function lineToCut(source: string, { start, indent, isFolded }: Cutting): number {
  if (source.length - start <= pieceLength) return source.length;
  let line = source.lastIndexOf('\n', start + pieceLength) + 1;
  let before = source.lastIndexOf('\n', line - 2) + 1;
  for (;;) {
    const next = source.indexOf('\n', line) + 1;
    if (next === 0) return source.length;
    if (next - start > longestPiece && next - line < longestPiece)
      throw new Error('a text has too many lines without a word in a row');
    before = line;
    line = next;
    if (line <= start) continue;
    const isWord = isWordAt(source, line + indent);
    if (isFolded ? isWord && isWordAt(source, before + indent) : isWord) return line;
  }
}

function isWordAt(source: string, place: number): boolean {
  return source.charCodeAt(place) > 0x20;
}
