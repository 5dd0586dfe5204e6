import type { JsonValue } from '@binnacle/api-objects';
import { Document, visit } from 'yaml';
import { plainScalar } from '../yaml/scalar-values.ts';

/** Texts that YAML 1.1 readers interpret as merge keys, timestamps, booleans or numbers. */
const notTextInOlderYaml = [
  { test: (text: string) => plainScalar(text).type !== 'str' } as RegExp, // The package calls only `test`.
  /^(?:<<|=)$/,
  /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|\s+)[\d:.]+\s*(?:Z|[-+]\d\d?(?::\d\d)?)?)?$/,
  /^(?:y|n|yes|no|on|off|true|false)$/i,
  /^[-+]?(?:0b[01_]+|0x[\da-f_]+|\d[\d_]*(?::[0-5]?\d)*(?:\.[\d_]*)?(?:e[-+]?\d+)?|\.\d[\d_]*|\.inf)$|^\.nan$/i,
].map((test, index) => ({ tag: `!older-${index}`, default: true, test, resolve: (text: string) => text }));

/** Characters that the package does not escape, invalid starts of a block, and texts of blank lines with spaces. */
const unsafe = /[\u2028\u2029\ufeff\ufffe\uffff]|^(?=[\s\S]*\n)[\n ]*\t|^(?=[\s\S]*\n)\n* [\n ]*$/;

/** Encodes a value with the `yaml` package and the settings and escapes of `encodeYaml`. */
export function packageYaml(value: JsonValue): string {
  const document = new Document(value, {
    schema: 'core',
    compat: notTextInOlderYaml,
    aliasDuplicateObjects: false,
    sortMapEntries: true,
  });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && unsafe.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({ lineWidth: 0, indentSeq: false });
  return text.replace(/[\u2028\u2029\ufeff\ufffe\uffff]/g, c => `\\u${c.charCodeAt(0).toString(16)}`);
}
