import protobuf from 'protobufjs';
import { findKeyCode, findValueCode, type ValueCode } from './field-kinds.ts';
import { docComment, lowerFirst } from './names.ts';

/** The interface, the codec and the read and write functions of one message. */
export function renderMessage(message: protobuf.Type, protoName: string): string {
  const fields = message.fieldsArray.toSorted((left, right) => left.id - right.id);
  return [
    renderInterface(message, fields, protoName),
    renderCodec(message),
    renderWrite(message, fields),
    renderRead(message, fields),
  ].join('\n');
}

function renderInterface(message: protobuf.Type, fields: protobuf.Field[], protoName: string): string {
  const lines = fields.map(field => {
    const comment = field.comment ? docComment(field.comment, '', '  ') : '';
    const type = typeOf(field);
    return `${comment}  ${field.name}${isOptional(field) ? `?: ${type} | undefined` : `: ${type}`};\n`;
  });
  const comment = docComment(message.comment, `\`${message.name}\` of \`${protoName}\`.`);
  return `${comment}export interface ${message.name} {\n${lines.join('')}}\n`;
}

function renderCodec(message: protobuf.Type): string {
  const { name } = message;
  return `/** Turns \`${name}\` into bytes and back. */
export const ${lowerFirst(name)}Codec: MessageCodec<${name}> = {
  encode: message => write${name}(message, newWriter()).finish(),
  decode: bytes => read${name}(readerOf(bytes), bytes.length),
};
`;
}

function renderWrite(message: protobuf.Type, fields: protobuf.Field[]): string {
  const { name } = message;
  const lines = fields.map(field => `  ${writeField(field)}\n`);
  const parameter = fields.length === 0 ? '_message' : 'message';
  return `/** Appends a \`${name}\` without its length. */
export function write${name}(${parameter}: ${name}, writer: Writer): Writer {
${lines.join('')}  return writer;
}
`;
}

function renderRead(message: protobuf.Type, fields: protobuf.Field[]): string {
  const { name } = message;
  const defaults = fields
    .filter(field => !isOptional(field))
    .map(field => `${field.name}: ${defaultCode(field)}`);
  const cases = fields.flatMap(readCases).map(line => `      ${line}\n`);
  return `/** Reads a \`${name}\` that ends at \`end\`. */
export function read${name}(reader: Reader, end: number): ${name} {
  const message: ${name} = { ${defaults.join(', ')} };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
${cases.join('')}      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}
`;
}

function isOptional(field: protobuf.Field): boolean {
  if (field.repeated || field instanceof protobuf.MapField) return false;
  return field.hasPresence || field.resolvedType instanceof protobuf.Type;
}

function typeOf(field: protobuf.Field): string {
  const { type } = findValueCode(field);
  if (field instanceof protobuf.MapField) return `{ [key: string]: ${type} }`;
  return field.repeated ? `${type}[]` : type;
}

function defaultCode(field: protobuf.Field): string {
  if (field instanceof protobuf.MapField) return '{}';
  return field.repeated ? '[]' : findValueCode(field).defaultValue;
}

function fieldTag(field: protobuf.FieldBase, wireType: number): number {
  return ((field.id << 3) | wireType) >>> 0;
}

function writeField(field: protobuf.Field): string {
  const code = findValueCode(field);
  const value = `message.${field.name}`;
  if (field instanceof protobuf.MapField) return writeMap(field, code, value);
  const start = `writer.uint32(${fieldTag(field, code.wireType)})`;
  if (field.repeated) return `for (const item of ${value} ?? []) ${code.write('item', start)};`;
  const condition = isOptional(field) ? `${value} !== undefined` : code.isSet(value);
  return `if (${condition}) ${code.write(value, start)};`;
}

function writeMap(field: protobuf.MapField, code: ValueCode, value: string): string {
  const entry = findKeyCode(field).write('key', `writer.uint32(${fieldTag(field, 2)}).fork().uint32(10)`);
  const whole = code.write('item', `${entry}.uint32(${16 | code.wireType})`);
  return `for (const [key, item] of Object.entries(${value} ?? {})) ${whole}.ldelim();`;
}

function readCases(field: protobuf.Field): string[] {
  const code = findValueCode(field);
  const target = `message.${field.name}`;
  if (field instanceof protobuf.MapField) {
    const missing =
      field.resolvedType instanceof protobuf.Type
        ? `read${code.type}(reader, reader.pos)`
        : code.defaultValue;
    return [
      `case ${fieldTag(field, 2)}:`,
      `  readEntry(reader, ${target}, { tag: ${16 | code.wireType}, read: () => ${code.read}, missing: () => ${missing} });`,
      '  break;',
    ];
  }
  const store = field.repeated ? `${target}.push(${code.read});` : `${target} = ${code.read};`;
  const single = [`case ${fieldTag(field, code.wireType)}:`, `  ${store}`, '  break;'];
  if (!field.repeated || code.wireType === 2) return single;
  const packed = `for (const end = messageEnd(reader); reader.pos < end; ) ${store}`;
  return [...single, `case ${fieldTag(field, 2)}:`, `  ${packed}`, '  break;'];
}
