import { readFile } from 'node:fs/promises';
import { readFlagFile } from '@binnacle/flags';
import { createTokenSigner, type TokenSigner } from '@binnacle/tokens';

/** The signing key and the certificate authority of the controllers of accounts and namespaces. */
export interface AccountFiles {
  /** Signer of the tokens of Secrets; undefined without a key: Secrets get no tokens. */
  readonly signToken: TokenSigner | undefined;
  /** PEM of the certificate authority of the API; empty: none is published. */
  readonly rootCa: string;
}

const readText = (file: string) => readFile(file, 'utf8');
const readSigner = async (file: string) => createTokenSigner(await readText(file));

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
  const [signToken, rootCa] = await Promise.all([
    keyFile ? readFlagFile('serviceAccountPrivateKeyFile', keyFile, readSigner) : undefined,
    rootCaFile ? readFlagFile('rootCaFile', rootCaFile, readText) : clientCa?.toString(),
  ]);
  return { signToken, rootCa: rootCa ?? '' };
}
