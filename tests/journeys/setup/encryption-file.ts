import { rename, writeFile } from 'node:fs/promises';
import { groups } from '@binnacle/api-names';

/** The text of a provider with keys, the first one first: each is its name, repeated to 32 bytes. */
export function providerOf(kind: 'aescbc' | 'aesgcm' | 'secretbox', ...names: string[]): string {
  const keys = names.map(name => `{ name: ${name}, secret: ${Buffer.alloc(32, name).toString('base64')} }`);
  return `${kind}: { keys: [${keys.join()}] }`;
}

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
