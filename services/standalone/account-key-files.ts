import { join } from 'node:path';
import type { Pki } from '@binnacle/service-kit';
import type { StandaloneConfig } from './config.ts';

/** The files of the keys of service-account tokens, by the flags that name them. */
interface AccountKeyFiles {
  /** The files with the keys that verify tokens. */
  readonly serviceAccountKeyFile: readonly string[];
  readonly serviceAccountSigningKeyFile: string | undefined;
  readonly serviceAccountPrivateKeyFile: string | undefined;
}

/**
 * The key files that flags name, or keys of the data folder. Without `--service-account-key-file` tokens are verified with the local key and with
 * the key of the server (spec 2, "Service account token"). Tokens of the local key are good only as long as it is one of those that
 * they are verified with.
 */
export function accountKeyFiles(config: StandaloneConfig, pki: Pki): AccountKeyFiles {
  const { serviceAccountKeyFile: given } = config;
  const local = given.length > 0 ? undefined : pki.serviceAccountKeyFile;
  const signing = config.serviceAccountSigningKeyFile ?? local;
  return {
    serviceAccountKeyFile:
      given.length > 0 ? given : [pki.serviceAccountPublicKeyFile, join(pki.serverDirectory, 'tls.key')],
    serviceAccountSigningKeyFile: signing,
    serviceAccountPrivateKeyFile: config.serviceAccountPrivateKeyFile ?? signing,
  };
}
