import { createTokenReader, type TokenReader } from './proto-tokens.ts';

/** The value of an option as the file spells it: a text without its quotes, `true` or `false`, or a number. */
export type OptionValue = string | boolean | number;

/** The options of one message or field: values by name, in the order of the file. */
export type OptionValues = ReadonlyMap<string, readonly OptionValue[]>;

/** A field as a proto file declares it. */
export interface ProtoField {
  readonly name: string;
  readonly number: number;
  /** As written: a scalar, a message of the same package, or a full name; of a map the type of its values. */
  readonly type: string;
  readonly label: 'single' | 'repeated' | 'map';
  readonly options: OptionValues;
  /** The comment above it. */
  readonly description: string;
}

/** A message as a proto file declares it. */
export interface ProtoMessage {
  readonly name: string;
  readonly package: string;
  readonly options: OptionValues;
  readonly fields: readonly ProtoField[];
  readonly description: string;
}

/** Options under construction. */
type MutableOptions = Map<string, OptionValue[]>;

const singleLabels = new Set(['optional', 'required']);

/**
 * Reads the messages of a proto file that uses what the files of `proto/api` use: messages beside each other, with
 * fields, maps of texts, options and line comments. What else the language has is refused with the line of the file.
 * A whole compiler would take most of the time in which a service starts.
 */
export function parseProtoFile(text: string): ProtoMessage[] {
  const tokens = createTokenReader(text);
  const messages: ProtoMessage[] = [];
  let packageName = '';
  while (!tokens.atEnd()) {
    const { text: word, comment } = tokens.next();
    switch (word) {
      case 'message':
        messages.push(readMessage(tokens, packageName, comment));
        break;
      case 'package':
        packageName = tokens.next().text;
        tokens.expect(';');
        break;
      case 'syntax':
        tokens.expect('=');
        tokens.next();
        tokens.expect(';');
        break;
      case 'import':
        tokens.next();
        tokens.expect(';');
        break;
      default:
        throw tokens.unexpected(word);
    }
  }
  return messages;
}

function readMessage(tokens: TokenReader, packageName: string, description: string): ProtoMessage {
  const name = tokens.next().text;
  const options: MutableOptions = new Map();
  const fields: ProtoField[] = [];
  tokens.expect('{');
  for (;;) {
    const { text: word, comment } = tokens.next();
    if (word === '}') return { name, package: packageName, options, fields, description };
    if (word === 'option') {
      readOption(tokens, options);
      tokens.expect(';');
    } else {
      fields.push(readField(tokens, word, comment));
    }
  }
}

function readField(tokens: TokenReader, label: string, description: string): ProtoField {
  const { type, form } = readFieldType(tokens, label);
  const name = tokens.next().text;
  tokens.expect('=');
  const number = Number(tokens.next().text);
  const options: MutableOptions = new Map();
  let mark = tokens.next().text;
  if (mark === '[') {
    do {
      readOption(tokens, options);
      mark = tokens.next().text;
    } while (mark === ',');
    if (mark !== ']') throw tokens.unexpected(mark);
    mark = tokens.next().text;
  }
  if (mark !== ';' || !Number.isSafeInteger(number)) throw tokens.unexpected(mark);
  return { name, number, type, label: form, options, description };
}

function readFieldType(tokens: TokenReader, label: string): { type: string; form: ProtoField['label'] } {
  if (singleLabels.has(label)) return { type: tokens.next().text, form: 'single' };
  if (label === 'repeated') return { type: tokens.next().text, form: 'repeated' };
  if (label !== 'map') throw tokens.unexpected(label);
  for (const mark of ['<', 'string', ',']) tokens.expect(mark);
  const type = tokens.next().text;
  tokens.expect('>');
  return { type, form: 'map' };
}

/** `(name) = value`, or `name = value` for the options of the language itself. */
function readOption(tokens: TokenReader, options: MutableOptions): void {
  let name = tokens.next().text;
  if (name === '(') {
    name = tokens.next().text;
    tokens.expect(')');
  }
  tokens.expect('=');
  const value = optionValue(tokens.next().text);
  const values = options.get(name);
  if (values === undefined) options.set(name, [value]);
  else values.push(value);
}

function optionValue(text: string): OptionValue {
  if (text.startsWith('"')) return JSON.parse(text) as string; // the token is a quoted text
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}
