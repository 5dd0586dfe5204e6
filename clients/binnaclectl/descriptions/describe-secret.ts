import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { objectIn, textIn } from '../objects/page.ts';
import { plainText } from './describe-content.ts';
import { describeMetadata } from './describe-metadata.ts';
import { sortedEntries } from './sorted-entries.ts';

/** A Secret with the sizes of its values; the values themselves, tokens too, are never shown. */
export function describeSecret(secret: JsonObject): string {
  return [
    describeMetadata(secret, { showsNamespace: true }),
    `\nType:\t${textIn(secret, 'type')}\n`,
    '\nData\n====\n',
    ...sortedEntries(objectIn(secret, 'data')).map(
      ([key, value]) => `${key}:\t${decodedLength(value)} bytes\n`,
    ),
  ].join('');
}

/** A ConfigMap with its texts, and the sizes of its other values. */
export function describeConfigMap(configMap: JsonObject): string {
  return [
    describeMetadata(configMap, { showsNamespace: true }),
    '\nData\n====\n',
    ...sortedEntries(objectIn(configMap, 'data')).map(
      ([key, value]) => `${key}:\n----\n${plainText(value)}\n`,
    ),
    '\nBinaryData\n====\n',
    ...sortedEntries(objectIn(configMap, 'binaryData')).map(
      ([key, value]) => `${key}: ${decodedLength(value)} bytes\n`,
    ),
    '\n',
  ].join('');
}

function decodedLength(value: JsonValue): number {
  return Buffer.byteLength(String(value), 'base64');
}
