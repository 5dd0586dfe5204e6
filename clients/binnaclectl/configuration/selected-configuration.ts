import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ClientConfiguration } from '@binnacle/client';
import { CommandError } from '../output/errors.ts';
import type { ConfigurationEntry, Kubeconfig } from './kubeconfig.ts';

/** What a context leads to. */
interface SelectedConfiguration extends ClientConfiguration {
  readonly namespace?: string;
  readonly insecureSkipTlsVerify?: true;
}

/** Names of entries that are taken instead of the current context and what that names. */
interface Selection {
  readonly context: string | undefined;
  readonly cluster: string | undefined;
  readonly user: string | undefined;
  /** Whether another token replaces what the user entry says besides certificates. */
  readonly hasToken: boolean;
}

/** Without a cluster, kubectl's address. */
const defaultServer = 'http://localhost:8080';

/** What the current context leads to, or the entries that are selected. Throws a `CommandError` that names the entry at fault. */
export function selectedConfiguration(kubeconfig: Kubeconfig, selection: Selection): SelectedConfiguration {
  const { contexts, clusters, users, currentContext } = kubeconfig;
  const contextName = selection.context ?? currentContext;
  const context = contextName === '' ? undefined : named(contexts, 'context', contextName);
  const clusterName = selection.cluster ?? textIn(context, 'cluster');
  const userName = selection.user ?? textIn(context, 'user');
  const namespace = textIn(context, 'namespace');
  return {
    ...clusterPart(clusterName ? named(clusters, 'cluster', clusterName) : undefined),
    ...userPart(userName ? named(users, 'user', userName) : undefined, selection),
    ...(namespace && { namespace }),
  };
}

function clusterPart(cluster: ConfigurationEntry | undefined): SelectedConfiguration {
  const certificateAuthority = material(cluster, 'certificate-authority');
  const tlsServerName = textIn(cluster, 'tls-server-name');
  return {
    servers: [textIn(cluster, 'server') ?? defaultServer],
    ...(certificateAuthority && { certificateAuthority }),
    ...(tlsServerName && { tlsServerName }),
    ...(cluster?.content['insecure-skip-tls-verify'] === true && { insecureSkipTlsVerify: true }),
  };
}

function userPart(user: ConfigurationEntry | undefined, { hasToken }: Selection) {
  if (user !== undefined && !hasToken) refuseUnsupported(user);
  const clientCertificate = material(user, 'client-certificate');
  const clientKey = material(user, 'client-key');
  const token = hasToken ? undefined : tokenOf(user);
  return {
    ...(clientCertificate && { clientCertificate }),
    ...(clientKey && { clientKey }),
    ...(token && { token }),
  };
}

function refuseUnsupported(user: ConfigurationEntry): void {
  for (const field of ['exec', 'auth-provider', 'username']) {
    if (user.content[field] !== undefined)
      throw new CommandError(`user "${user.name}": ${field} is not supported`);
  }
}

function tokenOf(user: ConfigurationEntry | undefined): string | undefined {
  const token = textIn(user, 'token');
  const file = textIn(user, 'tokenFile');
  if (token || !file || user === undefined) return token;
  return readNamedFile(resolve(user.folder, file), `user "${user.name}": tokenFile`).toString().trim();
}

/** Bytes given inline as base64 under `<field>-data`, or as the path of a file under `<field>`. */
function material(entry: ConfigurationEntry | undefined, field: string): Buffer | undefined {
  if (entry === undefined) return undefined;
  const inline = textIn(entry, `${field}-data`);
  if (inline) return Buffer.from(inline, 'base64');
  const file = textIn(entry, field);
  return file ? readNamedFile(resolve(entry.folder, file), `"${entry.name}": ${field}`) : undefined;
}

/** The bytes of a file; throws a `CommandError` that begins with `where`. */
export function readNamedFile(path: string, where: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new CommandError(`${where}: ${cause instanceof Error ? cause.message : 'unreadable'}`, { cause });
  }
}

function named(entries: readonly ConfigurationEntry[], what: string, name: string): ConfigurationEntry {
  const entry = entries.find(candidate => candidate.name === name);
  if (entry === undefined) throw new CommandError(`${what} "${name}" does not exist`);
  return entry;
}

function textIn(entry: ConfigurationEntry | undefined, field: string): string | undefined {
  const value = entry?.content[field];
  return typeof value === 'string' ? value : undefined;
}
