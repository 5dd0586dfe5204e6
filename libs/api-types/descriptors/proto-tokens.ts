/** A word, number, quoted text or mark of a proto file. */
export interface ProtoToken {
  /** As written, quotes included. */
  readonly text: string;
  /** The lines of comment directly above it, as one line. */
  readonly comment: string;
}

/** Reads a proto file token by token. */
export interface TokenReader {
  atEnd(): boolean;
  /** The next token; throws at the end of the file. */
  next(): ProtoToken;
  /** Passes over a token; throws when it is another one. */
  expect(text: string): void;
  /** What to throw when the token that was read last has no place there. */
  unexpected(text: string): Error;
}

const blank = /\s*/y;
const comments = /(?:\/\/[^\n]*\n[ \t]*)+/y;
const token = /[\w.]+|"(?:[^"\\]|\\.)*"|-\d+|[{}()[\]<>=;,]/y;

/** A token reader over the text of a proto file; comments are kept with the token below them. */
export function createTokenReader(text: string): TokenReader {
  let position = 0;

  function match(pattern: RegExp): string {
    pattern.lastIndex = position;
    const found = pattern.exec(text)?.[0] ?? '';
    position += found.length;
    return found;
  }

  /** Only the last block of comments belongs to what follows, and only without an empty line between. */
  function skipToToken(): string {
    for (let comment = ''; ; ) {
      const gap = match(blank);
      if (gap.includes('\n')) comment = '';
      const block = match(comments);
      if (block === '') return comment;
      comment = block;
    }
  }

  function unexpected(found: string): Error {
    const line = text.slice(0, position).split('\n').length;
    return new Error(`line ${line} of a proto file: ${JSON.stringify(found)} is not understood here`);
  }

  function next(): ProtoToken {
    const comment = skipToToken();
    const found = match(token);
    if (found === '') throw unexpected(text.slice(position, position + 16));
    return { text: found, comment: comment === '' ? '' : plainComment(comment) };
  }

  return {
    atEnd: () => {
      const before = position;
      skipToToken();
      const isEnd = position === text.length;
      position = before;
      return isEnd;
    },
    next,
    expect: wanted => {
      const found = next().text;
      if (found !== wanted) throw unexpected(found);
    },
    unexpected,
  };
}

function plainComment(block: string): string {
  return block
    .replace(/^[ \t]*\/\/ ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}
