/** Longer texts, in characters, are not addresses. */
const longestAddress = 4096;
const atomCharacter = String.raw`[A-Za-z0-9!#$%&'*+\-/=?^_\x60{|}~\u0080-\u{10ffff}]`;
const dotAtom = new RegExp(String.raw`${atomCharacter}+(?:\.${atomCharacter}+)*`, 'uy');
/** A word of a display name, in which dots are allowed anywhere. */
const looseAtom = new RegExp(String.raw`(?:${atomCharacter}|\.)+`, 'uy');
const quotedText = /"(?:[\t !#-[\]-~\u0080-\u{10ffff}]|\\[\t -~\u0080-\u{10ffff}])*"/uy;
const blanks = /[ \t]*/y;

/**
 * Whether a text is a single mail address: `a@b`, optionally with a display name (`Name <a@b>`), or a group with one address. The
 * local part may be quoted, and comments may follow.
 */
export function isMailAddress(text: string): boolean {
  if (text.length > longestAddress) return false;
  const reader = new AddressReader(text);
  return reader.address() && reader.isAtEnd();
}

class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Parses one address, or a group with one. */
  address(): boolean {
    if (this.#mailbox()) return true;
    const start = this.#at;
    if (!this.#phrase() || !this.#accepts(':')) {
      this.#at = start;
      return false;
    }
    return this.#mailbox() && this.#comments() && this.#accepts(';');
  }

  /** Whether only blanks and comments remain. */
  isAtEnd(): boolean {
    return this.#comments() && this.#at === this.#text.length;
  }

  #mailbox(): boolean {
    const start = this.#at;
    this.#skip(blanks);
    if (this.#plainAddress()) return true;
    this.#at = start;
    this.#phrase();
    if (this.#accepts('<') && this.#plainAddress() && this.#accepts('>')) return true;
    this.#at = start;
    return false;
  }

  #plainAddress(): boolean {
    this.#skip(blanks);
    if (!this.#matches(this.#peek() === '"' ? quotedText : dotAtom)) return false;
    if (!this.#accepts('@')) return false;
    this.#skip(blanks);
    return this.#matches(dotAtom);
  }

  /** Parses one or more words. */
  #phrase(): boolean {
    let words = 0;
    for (this.#skip(blanks); this.#matches(quotedText) || this.#matches(looseAtom); this.#skip(blanks))
      words++;
    return words > 0;
  }

  /** Skips blanks and nested comments in parentheses; returns false for an unclosed comment. */
  #comments(): boolean {
    this.#skip(blanks);
    while (this.#peek() === '(') {
      let depth = 0;
      do {
        const character = this.#peek();
        if (character === '') return false;
        if (character === '\\') this.#at++;
        else if (character === '(') depth++;
        else if (character === ')') depth--;
        this.#at++;
      } while (depth > 0);
      this.#skip(blanks);
    }
    return true;
  }

  #accepts(character: string): boolean {
    this.#skip(blanks);
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }

  #skip(pattern: RegExp): void {
    this.#matches(pattern);
  }

  #matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }
}
