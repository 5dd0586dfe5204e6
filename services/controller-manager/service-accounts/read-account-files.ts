import { readFile } from 'node:fs/promises';
import { createTokenSigner, type TokenSigner } from '@binnacle/tokens';

/** The key and the authority that the controllers of accounts and namespaces give out. */
export interface AccountFiles {
  /** Signs the tokens of Secrets; undefined: there is no key, and none are filled in. */
  readonly signToken: TokenSigner | undefined;
  /** PEM of the authority of the API; empty: none is given out. */
  readonly rootCa: string;
}

/**
 * Reads the files of the flags; `clientCa` is the authority where no flag names one. Throws an Error for a file that cannot be read
 * or is no key.
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
