import { isJsonObject } from '@binnacle/api-objects';
import { TemplateError } from '../template-error.ts';
import { formatFloat } from './format-float.ts';
import { formatInteger } from './format-integer.ts';
import {
  deepestNesting,
  formatGoValue,
  type GoValue,
  goTypeName,
  goValueFromJson,
  readMember,
  sortedKeys,
} from './go-value.ts';
import { goSyntax, quoteGo, quoteGoCharacter } from './quote-go.ts';

/** The flags between a percent sign and its verb. */
interface VerbFlags {
  readonly sharp: boolean;
  readonly zero: boolean;
  readonly plus: boolean;
  readonly minus: boolean;
  readonly space: boolean;
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

/** Go refuses a width or precision beyond this. */
const largest = 1_000_000;
const flagCharacters = /[#0+\- ]*/y;

/** Formats values as Go's `fmt.Sprintf` does, its errors in the text included: `%!d(string=a)`. */
export function goPrintf(format: string, values: readonly GoValue[]): string {
  return new Formatter(format, values).text();
}

class Formatter {
  readonly #format: string;
  readonly #values: readonly GoValue[];
  #at = 0;
  #index = 0;
  #isReordered = false;
  #isGoodIndex = true;

  constructor(format: string, values: readonly GoValue[]) {
    this.#format = format;
    this.#values = values;
  }

  text(): string {
    let text = '';
    while (this.#at < this.#format.length) {
      const percent = this.#format.indexOf('%', this.#at);
      const end = percent < 0 ? this.#format.length : percent;
      text += this.#format.slice(this.#at, end);
      this.#at = end + 1;
      if (percent >= 0) text += this.#verb();
    }
    if (this.#isReordered || this.#index >= this.#values.length) return text;
    const extra = this.#values.slice(this.#index).map(typedText);
    return `${text}%!(EXTRA ${extra.join(', ')})`;
  }

  #verb(): string {
    this.#isGoodIndex = true;
    flagCharacters.lastIndex = this.#at;
    const given = flagCharacters.exec(this.#format)?.[0] ?? '';
    this.#at += given.length;
    let minus = given.includes('-');
    this.#argumentIndex();
    let fault = '';
    let width = this.#number();
    if (width === 'bad') [fault, width] = ['%!(BADWIDTH)', undefined];
    if (width !== undefined && width < 0) [minus, width] = [true, -width];
    let precision: number | undefined;
    if (this.#format[this.#at] === '.') {
      this.#at++;
      this.#argumentIndex();
      const read = this.#number();
      if (read === 'bad' || (read !== undefined && read < 0)) fault += read === 'bad' ? '%!(BADPREC)' : '';
      else precision = read ?? 0;
    }
    this.#argumentIndex();
    const code = this.#format.codePointAt(this.#at);
    if (code === undefined) return `${fault}%!(NOVERB)`;
    const verb = String.fromCodePoint(code);
    this.#at += verb.length;
    if (verb === '%') return `${fault}%`;
    if (!this.#isGoodIndex) return `${fault}%!${verb}(BADINDEX)`;
    if (this.#index >= this.#values.length) return `${fault}%!${verb}(MISSING)`;
    const flags = {
      sharp: given.includes('#'),
      zero: given.includes('0') && !minus,
      // `%+v` names fields of structures, which no value is.
      plus: given.includes('+') && verb !== 'v',
      minus,
      space: given.includes(' '),
      width,
      precision,
    };
    return fault + formatVerb(this.#values[this.#index++], verb, flags);
  }

  /** `[2]`: the value that comes next. */
  #argumentIndex(): void {
    if (this.#format[this.#at] !== '[') return;
    this.#isReordered = true;
    const end = this.#format.indexOf(']', this.#at);
    const text = end < 0 ? '' : this.#format.slice(this.#at + 1, end);
    const index = /^\d{1,7}$/.test(text) ? Number(text) : 0;
    this.#at = end < 0 ? this.#at + 1 : end + 1;
    if (index >= 1 && index <= this.#values.length) this.#index = index - 1;
    else this.#isGoodIndex = false;
  }

  /** A width or precision: digits, or `*` for the next value. */
  #number(): number | 'bad' | undefined {
    if (this.#format[this.#at] === '*') {
      this.#at++;
      const value = this.#values[this.#index];
      if (this.#index < this.#values.length) this.#index++;
      return typeof value === 'bigint' && value <= largest && value >= -largest ? Number(value) : 'bad';
    }
    const digits = /^\d+/.exec(this.#format.slice(this.#at, this.#at + 20))?.[0];
    if (digits === undefined) return undefined;
    this.#at += digits.length;
    return Number(digits) > largest ? undefined : Number(digits);
  }
}

function formatVerb(value: GoValue, verb: string, flags: VerbFlags, depth = 0): string {
  if (depth > deepestNesting)
    throw new TemplateError(`a value is nested deeper than ${deepestNesting} levels`);
  if (value === undefined || value === null) {
    if (depth > 0) return flags.sharp && verb === 'v' ? 'interface {}(nil)' : '<nil>';
    return verb === 'v' || verb === 'T' ? padded('<nil>', flags) : badVerb(value, verb, flags);
  }
  if (verb === 'T') return textVerb(goTypeName(value), 's', flags);
  if (verb === 'v' && flags.sharp)
    return typeof value === 'object' ? goSyntax(value) : padded(goSyntax(value), flags);
  if (Array.isArray(value)) {
    const items = value.map(item => formatVerb(goValueFromJson(item), verb, flags, depth + 1));
    return `[${items.join(' ')}]`;
  }
  if (isJsonObject(value)) {
    const part = (member: GoValue) => formatVerb(member, verb, flags, depth + 1);
    return `map[${sortedKeys(value)
      .map(key => `${part(key)}:${part(readMember(value, key))}`)
      .join(' ')}]`;
  }
  switch (typeof value) {
    case 'boolean':
      return verb === 't' || verb === 'v' ? padded(String(value), flags) : badVerb(value, verb, flags);
    case 'bigint':
      return integerVerb(value, verb, flags);
    case 'number':
      return floatVerb(value, verb, flags);
    case 'string':
      return textVerb(value, verb, flags);
  }
}

function integerVerb(value: bigint, verb: string, flags: VerbFlags): string {
  switch (verb) {
    case 'v':
    case 'd':
    case 'b':
    case 'o':
    case 'O':
    case 'x':
    case 'X':
      return padded(formatInteger(value, verb, flags), { ...flags, zero: false });
    case 'c':
      return padded(characterFrom(value), flags);
    case 'q':
      return padded(quoteGoCharacter(characterFrom(value), flags.plus), flags);
    case 'U': {
      const code = `U+${value.toString(16).toUpperCase().padStart(4, '0')}`;
      return padded(flags.sharp ? `${code} '${characterFrom(value)}'` : code, { ...flags, zero: false });
    }
  }
  return badVerb(value, verb, flags);
}

function characterFrom(value: bigint): string {
  const isCharacter = value >= 0n && value <= 0x10ffffn && !(value >= 0xd800n && value <= 0xdfffn);
  return String.fromCodePoint(isCharacter ? Number(value) : 0xfffd);
}

function floatVerb(value: number, verb: string, flags: VerbFlags): string {
  const { precision, sharp, plus, space, zero, width = 0 } = flags;
  if (sharp) throw new TemplateError('the flag # is not supported for floating-point numbers');
  let text: string;
  switch (verb) {
    case 'v':
    case 'g':
    case 'G':
      text = formatFloat(value, 'g', precision);
      break;
    case 'e':
    case 'E':
      text = formatFloat(value, 'e', precision ?? 6);
      break;
    case 'f':
    case 'F':
      text = formatFloat(value, 'f', precision ?? 6);
      break;
    case 'b':
    case 'x':
    case 'X':
      throw new TemplateError(`the verb %${verb} is not supported for floating-point numbers`);
    default:
      return badVerb(value, verb, flags);
  }
  if (verb === 'E' || verb === 'G') text = text.toUpperCase();
  const sign = text.startsWith('-') ? '-' : plus ? '+' : space ? ' ' : '';
  const digits = text.replace(/^-/, '');
  const filled = zero ? digits.padStart(width - sign.length, '0') : digits;
  return padded(`${sign}${filled}`, { ...flags, zero: false });
}

function textVerb(value: string, verb: string, flags: VerbFlags): string {
  const { precision, sharp, space, plus } = flags;
  const cut = precision === undefined ? value : [...value].slice(0, precision).join('');
  switch (verb) {
    case 'v':
    case 's':
      return padded(cut, flags);
    case 'q': {
      const canBackquote = sharp && !/[`\p{Cc}\ufeff]/u.test(cut.replaceAll('\t', ''));
      return padded(canBackquote ? `\`${cut}\`` : quoteGo(cut, plus), flags);
    }
    case 'x':
    case 'X': {
      const bytes = [...Buffer.from(value).subarray(0, precision)];
      const prefix = sharp ? '0x' : '';
      const pairs = bytes.map(byte => byte.toString(16).padStart(2, '0'));
      const text = space
        ? pairs.map(pair => prefix + pair).join(' ')
        : (pairs.length > 0 ? prefix : '') + pairs.join('');
      return padded(verb === 'X' ? text.toUpperCase() : text, flags);
    }
  }
  return badVerb(value, verb, flags);
}

/** The value stands in the message in its usual form, with the flags of the verb. */
function badVerb(value: GoValue, verb: string, flags: VerbFlags): string {
  if (value === undefined || value === null) return `%!${verb}(<nil>)`;
  return `%!${verb}(${goTypeName(value)}=${formatVerb(value, 'v', { ...flags, sharp: false })})`;
}

function typedText(value: GoValue): string {
  return value === undefined || value === null ? '<nil>' : `${goTypeName(value)}=${formatGoValue(value)}`;
}

/** Spaces, or zeros where they are asked for, up to the width. */
function padded(text: string, { width = 0, minus, zero }: VerbFlags): string {
  const missing = width - [...text].length;
  if (missing <= 0) return text;
  const fill = (zero ? '0' : ' ').repeat(missing);
  return minus ? text + fill : fill + text;
}
