import type { EncryptedObject } from '@binnacle/proto';

const maxKeyIdBytes = 1024;
const maxEncryptedDekBytes = 1024;
const maxAnnotationsBytes = 32 * 1024;

/** The parts of a stored object that come from the plugin. */
export type PluginParts = Pick<EncryptedObject, 'keyId' | 'encryptedDek' | 'annotations'>;

/** Returns what is wrong with the parts of a plugin by the rules of kube-apiserver; undefined if nothing is. */
export function pluginPartsProblem({ keyId, encryptedDek, annotations }: PluginParts): string | undefined {
  if (encryptedDek.length === 0) return 'encrypted DEK is empty';
  if (encryptedDek.length > maxEncryptedDekBytes)
    return `encrypted DEK is ${encryptedDek.length} bytes, which exceeds the max size of ${maxEncryptedDekBytes}`;
  return keyIdProblem(keyId) ?? annotationsProblem(annotations);
}

/** Returns what is wrong with the id of a key of a plugin; undefined if nothing is. */
export function keyIdProblem(keyId: string): string | undefined {
  const bytes = Buffer.byteLength(keyId);
  if (bytes === 0) return 'keyID is empty';
  return bytes > maxKeyIdBytes
    ? `keyID is ${bytes} bytes, which exceeds the max size of ${maxKeyIdBytes}`
    : undefined;
}

function annotationsProblem(annotations: PluginParts['annotations']): string | undefined {
  let bytes = 0;
  for (const [name, value] of Object.entries(annotations)) {
    if (!isFullyQualified(name))
      return `annotation ${JSON.stringify(name.slice(0, 64))} is not a fully qualified domain name`;
    bytes += Buffer.byteLength(name) + value.length;
  }
  return bytes > maxAnnotationsBytes
    ? `total size of annotations is ${bytes}, which exceeds the max size of ${maxAnnotationsBytes}`
    : undefined;
}

const maxNameLength = 253;
const label = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
/** Labels with dots between them, at least two; a dot may end the name. */
const namePattern = new RegExp(`^${label}(?:\\.${label})+\\.?$`);

function isFullyQualified(name: string): boolean {
  return name.length <= maxNameLength + 1 && namePattern.test(name);
}
