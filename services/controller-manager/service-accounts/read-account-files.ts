import { readFile } from 'node:fs/promises';
import type { FollowedFiles } from '@binnacle/backend-access';
import type { ClientConfiguration } from '@binnacle/client';
import { readFlagFile } from '@binnacle/flags';
import { createTokenSigner, type TokenSigner } from '@binnacle/tokens';

/** The signing key and the certificate authority of the controllers of accounts and namespaces. */
export interface AccountFiles {
  /** Signer of the tokens of Secrets; undefined without a key: Secrets get no tokens. */
  readonly signToken: TokenSigner | undefined;
  /** PEM of the certificate authority of the API at the moment; empty: none is published. */
  readonly rootCa: string;
  /** Dispatches `change` when it may have changed. */
  readonly changes: EventTarget;
}

const readText = (file: string) => readFile(file, 'utf8');

/** Reads a private key that tokens can be signed with. */
async function readKey(file: string): Promise<string> {
  const key = await readText(file);
  createTokenSigner(key);
  return key;
}

/**
 * Reads and follows the files that flags name; the certificate authority of the client counts where no flag names one. Throws an Error for a
 * file that cannot be read or is no key.
 */
export async function readAccountFiles(
  flags: {
    readonly serviceAccountPrivateKeyFile: string | undefined;
    readonly rootCaFile: string | undefined;
  },
  client: Pick<ClientConfiguration, 'certificateAuthority'>,
  files?: FollowedFiles,
): Promise<AccountFiles> {
  const { serviceAccountPrivateKeyFile: keyFile, rootCaFile } = flags;
  const [key, rootCa] = await Promise.all([
    keyFile ? readFlagFile('serviceAccountPrivateKeyFile', keyFile, readKey) : undefined,
    rootCaFile ? readFlagFile('rootCaFile', rootCaFile, readText) : undefined,
  ]);
  const latestRootCa =
    rootCaFile && files?.follow('--root-ca-file', { first: rootCa, read: () => readText(rootCaFile) });
  const changes = new EventTarget();
  files?.onChange(() => changes.dispatchEvent(new Event('change')));
  return {
    signToken: key && keyFile ? latestSigner(key, keyFile, files) : undefined,
    get rootCa() {
      return (latestRootCa ? latestRootCa() : rootCa) ?? client.certificateAuthority?.toString() ?? '';
    },
    changes,
  };
}

/** A signer with the key that the file has at the time of a signature. */
function latestSigner(first: string, file: string, files: FollowedFiles | undefined): TokenSigner {
  let sign = createTokenSigner(first);
  files?.follow('--service-account-private-key-file', {
    first,
    read: () => readKey(file),
    onChange(key) {
      sign = createTokenSigner(key);
    },
  });
  return claims => sign(claims);
}
