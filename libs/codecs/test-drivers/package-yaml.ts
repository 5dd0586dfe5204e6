import type { JsonValue } from '@binnacle/api-objects';
import { stringify } from 'yaml';

/** What readers of YAML 1.1 would take for times, truth values and numbers. */
const notTextInOlderYaml = [
  /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|\s+)[\d:.]+\s*(?:Z|[-+]\d\d?(?::\d\d)?)?)?$/,
  /^(?:y|n|yes|no|on|off|true|false)$/i,
  /^[-+]?(?:0b[01_]+|0x[\da-f_]+|\d[\d_]*(?::[0-5]?\d)*(?:\.[\d_]*)?(?:e[-+]?\d+)?|\.\d[\d_]*|\.inf)$|^\.nan$/i,
].map((test, index) => ({ tag: `!older-${index}`, default: true, test, resolve: (text: string) => text }));

/** A value as the `yaml` package writes it with the settings of `encodeYaml`. */
export function packageYaml(value: JsonValue): string {
  return stringify(value, {
    schema: 'core',
    compat: notTextInOlderYaml,
    lineWidth: 0,
    aliasDuplicateObjects: false,
    indentSeq: false,
    sortMapEntries: true,
  });
}
