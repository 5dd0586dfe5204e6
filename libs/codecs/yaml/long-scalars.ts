import { CST } from 'yaml';

type ScalarToken = CST.FlowScalar | CST.BlockScalar;

/** Scalars with longer texts are read in pieces. */
export const longScalar = 32_768;
/** Pieces are about so long: well below a millisecond each. */
const pieceLength = 16_384;
/** A text without a place to cut it within so many characters is refused. */
const longestPiece = 524_288;

/** Asks whether reading a scalar at once would take long. Plain text on one line is what it is. */
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

/** A token of the same type with next to no text. */
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

/** The text of a long scalar, read in pieces as if each were a scalar of its own. Yields between pieces. */
export function* longText(token: ScalarToken): Generator<void, string> {
  const texts: string[] = [];
  for (const piece of token.type === 'block-scalar' ? blockPieces(token) : flowPieces(token)) {
    const resolved = CST.resolveAsScalar(piece, true, (_, __, message) => {
      throw new Error(message);
    });
    texts.push(resolved?.value ?? '');
    yield;
  }
  // A folded text is cut where a line break is folded.
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

/** Between two characters that are read alike whatever stands around them. */
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
/** No escape is longer. */
const longestEscape = 10;

/** No blank, quote, or backslash. */
function isOrdinary(code: number): boolean {
  return code > 0x20 && code !== backslashCode && code !== 0x22 && code !== 0x27;
}

/** A letter, a digit, or a character beyond ASCII: a plain text can begin with it. */
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
    // The indicator says how much deeper than the token the text is indented.
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

/** The indentation of the text of a block scalar: said by its header, or that of its first line. */
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

/** The beginning of a line with text; in a folded text, of one that is not indented further, after such a line. */
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
