import { resolve } from 'node:path';
import type { Entry } from './entry.ts';

/** The choices of a program's user in place of the entries of the files; an empty text is no choice. */
export interface ConfigurationOverrides {
  /** Address of the server. The entry's `tls-server-name`, which is that of another server, goes with it. */
  readonly server?: string | undefined;
  /** Path of the authorities' certificates. */
  readonly certificateAuthority?: string | undefined;
  readonly tlsServerName?: string | undefined;
  /** Takes the server's certificate unverified; the entry's authorities go with that. */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** Replaces the token, token file, password and plugin of the user entry, and not its certificate. */
  readonly token?: string | undefined;
}

/** The members of a user entry that a token replaces. */
const replacedByToken = new Set(['token', 'tokenFile', 'username', 'password', 'exec', 'auth-provider']);

/** A cluster entry with what replaces parts of it. */
export function clusterWith(overrides: ConfigurationOverrides, cluster: Entry): Entry {
  const { server, certificateAuthority, tlsServerName, insecureSkipTlsVerify = false } = overrides;
  const replacesName = server || tlsServerName;
  const replacesTrust = insecureSkipTlsVerify || certificateAuthority;
  return {
    ...cluster,
    fields: {
      ...cluster.fields,
      ...(server && { server }),
      ...(replacesName && { 'tls-server-name': tlsServerName ?? null }),
      ...(replacesTrust && {
        'certificate-authority': certificateAuthority ? resolve(certificateAuthority) : null,
        'certificate-authority-data': null,
        'insecure-skip-tls-verify': insecureSkipTlsVerify,
      }),
    },
  };
}

/** A user entry with the token that replaces its credentials; the same entry without one. */
export function userWith({ token }: ConfigurationOverrides, user: Entry): Entry {
  if (!token) return user;
  const kept = Object.entries(user.fields).filter(([field]) => !replacedByToken.has(field));
  return { ...user, fields: { ...Object.fromEntries(kept), token } };
}
