import type { JsonValue } from '@binnacle/api-objects';
import { Document, visit } from 'yaml';
import { plainScalar } from '../yaml/scalar-values.ts';

/** Texts that readers of YAML 1.1 would take for merge keys, times, truth values and numbers. */
const notTextInOlderYaml = [
  { test: (text: string) => plainScalar(text).type !== 'str' } as RegExp, // all that the package calls
  /^(?:<<|=)$/,
  /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|\s+)[\d:.]+\s*(?:Z|[-+]\d\d?(?::\d\d)?)?)?$/,
  /^(?:y|n|yes|no|on|off|true|false)$/i,
  /^[-+]?(?:0b[01_]+|0x[\da-f_]+|\d[\d_]*(?::[0-5]?\d)*(?:\.[\d_]*)?(?:e[-+]?\d+)?|\.\d[\d_]*|\.inf)$|^\.nan$/i,
].map((test, index) => ({ tag: `!older-${index}`, default: true, test, resolve: (text: string) => text }));

/** Characters that the package writes as they are, how a block may not begin, and blanks in lines without words. */
const unsafe = /[\u2028\u2029\ufeff\ufffe\uffff]|^(?=[\s\S]*\n)[\n ]*\t|^(?=[\s\S]*\n)\n* [\n ]*$/;

/** A value as the `yaml` package writes it with the settings of `encodeYaml`, and with its escapes. */
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
