import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { JsonObject } from '@binnacle/api-objects';
import { asObject, asObjects, asText } from '@binnacle/api-types';
import { FlagError } from '@binnacle/flags';
import type { CallCredentials } from '@binnacle/proto';
import { readDocument } from '../../chain/admission-configuration.ts';

/** A server from a client configuration file, and the credentials for it. */
export interface Backend {
  /** `https://…`. */
  readonly url: string;
  /** PEM; empty means the system's roots. */
  readonly caBundle: Uint8Array;
  readonly credentials: CallCredentials;
}

const nothing = new Uint8Array(0);

/**
 * Reads a client configuration file: the cluster and the user of its current context, or the only ones there are. Throws a
 * FlagError when it names no server, or a server without TLS.
 */
export function readBackend(file: string): Backend {
  const document = readDocument(file);
  const context = asText(document['current-context']);
  const { cluster: clusterName, user: userName } = named(document, 'context', context) ?? {};
  const cluster = named(document, 'cluster', asText(clusterName));
  const user = named(document, 'user', asText(userName)) ?? {};
  const { server } = cluster ?? {};
  const url = asText(server);
  if (cluster === undefined || !url.startsWith('https://'))
    throw new FlagError(`client configuration ${file}: its cluster needs a server, https://…`);
  if (cluster['insecure-skip-tls-verify'] === true)
    throw new FlagError(`client configuration ${file}: insecure-skip-tls-verify is not supported`);
  const { username, password, token } = user;
  return {
    url,
    caBundle: readMemberBytes(cluster, 'certificate-authority', file),
    credentials: {
      clientCertificate: readMemberBytes(user, 'client-certificate', file),
      clientKey: readMemberBytes(user, 'client-key', file),
      username: asText(username),
      password: asText(password),
      token: asText(token),
    },
  };
}

/** Finds an entry of `contexts`, `clusters` or `users` by name; without a name, the only one. */
function named(
  document: JsonObject,
  member: 'context' | 'cluster' | 'user',
  wanted: string,
): JsonObject | undefined {
  const entries = asObjects(document[`${member}s`]);
  const entry =
    wanted === '' && entries.length === 1 ? entries[0] : entries.find(({ name }) => name === wanted);
  return asObject(entry?.[member]);
}

/** Reads the bytes of a member: its base64 `-data` form, or the file that it names. */
function readMemberBytes(entry: JsonObject, member: string, file: string): Uint8Array {
  const data = asText(entry[`${member}-data`]);
  if (data !== '') return Buffer.from(data, 'base64');
  const path = asText(entry[member]);
  if (path === '') return nothing;
  try {
    return readFileSync(resolve(dirname(file), path));
  } catch {
    throw new FlagError(`client configuration ${file}: the file of ${member} cannot be read`);
  }
}
