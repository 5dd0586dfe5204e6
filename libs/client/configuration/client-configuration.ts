import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseYamlAtOnce } from '@binnacle/codecs';

/** Where a server is, how it is known to be the right one, and who asks. */
export interface ClientConfiguration {
  /** Base addresses of servers that give the same answers; another is tried when one cannot be reached. */
  readonly servers: readonly string[];
  /** PEM of the authorities that sign the server's certificate; undefined: the system's. */
  readonly certificateAuthority?: Buffer;
  readonly clientCertificate?: Buffer;
  readonly clientKey?: Buffer;
  readonly token?: string;
  /** Name the server's certificate is for, where it is not the host of the address. */
  readonly tlsServerName?: string;
}

interface NamedEntry {
  readonly name?: unknown;
  readonly [key: string]: unknown;
}

/**
 * Reads the current context of a client configuration file (spec 2: the format of `clusters`, `users` and
 * `contexts`). Relative paths are resolved against the file's folder. Throws an Error that names what is missing;
 * credential plugins (`exec`, `auth-provider`) and switched-off verification are refused by name.
 */
export function loadClientConfiguration(path: string): ClientConfiguration {
  const file = section(parsed(path), path);
  const current = file['current-context'];
  if (typeof current !== 'string') throw new Error(`${path}: no current-context`);
  const context = entry(file, 'contexts', { name: current, inner: 'context', path });
  const cluster = entry(file, 'clusters', { name: context['cluster'], inner: 'cluster', path });
  const user = entry(file, 'users', { name: context['user'], inner: 'user', path });
  for (const plugin of ['exec', 'auth-provider']) {
    if (user[plugin] !== undefined) throw new Error(`${path}: users.${plugin} is not supported`);
  }
  if (cluster['insecure-skip-tls-verify'] === true) {
    throw new Error(`${path}: insecure-skip-tls-verify is not supported`);
  }
  const server = cluster['server'];
  if (typeof server !== 'string') throw new Error(`${path}: the cluster has no server`);
  const certificateAuthority = material(cluster, 'certificate-authority', path);
  const clientCertificate = material(user, 'client-certificate', path);
  const clientKey = material(user, 'client-key', path);
  const token = tokenOf(user, path);
  const tlsServerName = cluster['tls-server-name'];
  return {
    servers: [server],
    ...(certificateAuthority && { certificateAuthority }),
    ...(clientCertificate && { clientCertificate }),
    ...(clientKey && { clientKey }),
    ...(token && { token }),
    ...(typeof tlsServerName === 'string' && { tlsServerName }),
  };
}

function parsed(path: string): unknown {
  const text = readFileSync(path);
  try {
    return parseYamlAtOnce(text).value;
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : 'unreadable'}`, { cause: error });
  }
}

function section(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error(`${where}: not a client configuration`);
  return value as Record<string, unknown>; // Checked: an object; its members are checked where they are read.
}

function entry(
  file: Record<string, unknown>,
  list: string,
  { name, inner, path }: { name: unknown; inner: string; path: string },
): Record<string, unknown> {
  const entries = file[list];
  const found = Array.isArray(entries)
    ? (entries as NamedEntry[]).find(candidate => candidate?.name === name) // Members are read as unknown.
    : undefined;
  if (!found) throw new Error(`${path}: ${list} has no entry ${JSON.stringify(name)}`);
  return section(found[inner], `${path}: ${list}`);
}

/** Bytes given inline as base64 under `<field>-data`, or as the path of a file under `<field>`. */
function material(holder: Record<string, unknown>, field: string, path: string): Buffer | undefined {
  const inline = holder[`${field}-data`];
  if (typeof inline === 'string') return Buffer.from(inline, 'base64');
  const file = holder[field];
  return typeof file === 'string' ? readFileSync(resolve(dirname(path), file)) : undefined;
}

function tokenOf(user: Record<string, unknown>, path: string): string | undefined {
  if (typeof user['token'] === 'string') return user['token'];
  const file = user['tokenFile'];
  return typeof file === 'string' ? readFileSync(resolve(dirname(path), file), 'utf8').trim() : undefined;
}
