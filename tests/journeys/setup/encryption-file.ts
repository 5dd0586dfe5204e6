import { rename, writeFile } from 'node:fs/promises';
import { groups } from '@binnacle/api-names';

/** The name of a key; the secret is a text that is repeated to 32 bytes, by default the name. */
export type Key = string | { readonly name: string; readonly secret: string };

/** The text of a provider with keys, the first one first. */
export function providerOf(kind: 'aescbc' | 'aesgcm' | 'secretbox', ...keys: readonly Key[]): string {
  const texts = keys.map(key => {
    const { name, secret } = typeof key === 'string' ? { name: key, secret: key } : key;
    return `{ name: ${name}, secret: ${Buffer.alloc(32, secret).toString('base64')} }`;
  });
  return `${kind}: { keys: [${texts.join()}] }`;
}

/** A key that has the name of another one, whose values it does not decrypt. */
export const wrongKey = (name: string): Key => ({ name, secret: `not ${name}` });

export const identity = 'identity: {}';

/** The text of a provider with a KMS plugin, which has ten seconds for an answer by default: a machine may be slow. */
export function kmsProvider(
  apiVersion: 'v1' | 'v2',
  {
    name,
    endpoint,
    timeout = '10s',
  }: { readonly name: string; readonly endpoint: string; readonly timeout?: string },
): string {
  return `kms: { apiVersion: ${apiVersion}, name: ${name}, endpoint: "${endpoint}", timeout: ${timeout} }`;
}

/** Writes an EncryptionConfiguration with these providers, as a whole; returns its path. */
export async function writeEncryptionFile(
  file: string,
  providers: readonly string[],
  resources: readonly string[] = ['secrets'],
): Promise<string> {
  const text = `apiVersion: ${groups.apiserverConfig}/v1
kind: EncryptionConfiguration
resources:
- resources: [${resources.join()}]
  providers:
${providers.map(provider => `  - ${provider}`).join('\n')}
`;
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return file;
}
