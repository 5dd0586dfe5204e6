import { readFile } from 'node:fs/promises';
import { createTokenSigner, type TokenSigner } from '@binnacle/tokens';

/** The signing key and the certificate authority of the controllers of accounts and namespaces. */
export interface AccountFiles {
  /** Signer of the tokens of Secrets; undefined without a key: Secrets get no tokens. */
  readonly signToken: TokenSigner | undefined;
  /** PEM of the certificate authority of the API; empty: none is published. */
  readonly rootCa: string;
}

/**
 * Reads the files that flags name; `clientCa` is the certificate authority where no flag names one. Throws an Error for a file that
 * cannot be read or is no key.
 */
export async function readAccountFiles(
  flags: {
    readonly serviceAccountPrivateKeyFile: string | undefined;
    readonly rootCaFile: string | undefined;
  },
  clientCa: Buffer | undefined,
): Promise<AccountFiles> {
  const { serviceAccountPrivateKeyFile: keyFile, rootCaFile } = flags;
  const [key, rootCa] = await Promise.all([
    keyFile ? readFile(keyFile, 'utf8') : undefined,
    rootCaFile ? readFile(rootCaFile, 'utf8') : clientCa?.toString(),
  ]);
  return { signToken: key === undefined ? undefined : createTokenSigner(key), rootCa: rootCa ?? '' };
}
