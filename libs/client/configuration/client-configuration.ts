import { resolve } from 'node:path';
import { type ConfigurationFiles, readConfigurationFiles } from './configuration-files.ts';
import { type Entry, entryError, hasField, isOn, readBytes, readText } from './entry.ts';
import { type ExecPlugin, parseExecPlugin } from './exec-plugin.ts';
import { parseUser, type UserConfiguration } from './user.ts';

/** Where a server is, how it is known to be the right one, and who asks. */
export interface ClientConfiguration extends UserConfiguration {
  /** Base addresses of servers that give the same answers; another is tried when one cannot be reached. */
  readonly servers: readonly string[];
  /** PEM of the authorities that sign the server's certificate; undefined: the system's. */
  readonly certificateAuthority?: Buffer;
  /** Name the server's certificate is for, where it is not the host of the address. */
  readonly tlsServerName?: string;
  /** The server's certificate is not verified. */
  readonly insecureSkipTlsVerify?: true;
  /** Gives the credentials when the user has none of the other kinds. */
  readonly exec?: ExecPlugin;
  /** Namespace of the context. */
  readonly namespace?: string;
}

/** Options of reading client configuration files. */
export interface LoadClientConfigurationOptions extends ConfigurationOverrides {
  /** Name of the context; the current one when not given. */
  readonly context?: string | undefined;
  /** Name of the cluster entry, instead of the context's. */
  readonly cluster?: string | undefined;
  /** Name of the user entry, instead of the context's. */
  readonly user?: string | undefined;
  /** The server where neither an option nor an entry names one. With it, neither a file nor a context has to exist. */
  readonly defaultServer?: string;
  /** Takes `insecure-skip-tls-verify`, which is otherwise refused. For programs whose user sees what they do. */
  readonly allowInsecureTls?: boolean;
  /** Takes servers of plain HTTP, and addresses without a scheme as such. No credentials are read for them, as in kubectl. */
  readonly allowHttp?: boolean;
}

/** Fields that would send requests elsewhere, or as another user, when they were passed over. */
const refusedClusterFields: readonly string[] = ['proxy-url'];

/**
 * Reads client configuration files as kubectl does (spec 2: `clusters`, `users` and `contexts`) and returns what a context
 * leads to. Of several files the first that has a name decides on it; files that do not exist are passed over. Relative
 * paths are resolved against the file that names them, and `-data` fields win over files. Throws an Error that names
 * file and entry, and repeats no secret.
 */
export function loadClientConfiguration(
  paths: string | readonly string[],
  options: LoadClientConfigurationOptions = {},
): ClientConfiguration {
  const files = readConfigurationFiles(typeof paths === 'string' ? [paths] : paths, {
    mayBeMissing: options.defaultServer !== undefined,
  });
  const context = contextIn(files, options);
  const cluster = clusterIn(files, context, options);
  const user = userIn(files, context, options);
  const namespace = context && readText(context, 'namespace');
  const parsed = parseCluster(cluster, options);
  const isPlain = parsed.servers.every(server => new URL(server).protocol === 'http:');
  return {
    ...parsed,
    ...(user && !isPlain && credentialsIn(user, cluster)),
    ...(namespace && { namespace }),
  };
}

function contextIn(
  files: ConfigurationFiles,
  { context, defaultServer }: LoadClientConfigurationOptions,
): Entry | undefined {
  const name = context || files.currentContext;
  if (name) return namedIn(files, 'contexts', name);
  if (defaultServer === undefined) throw new Error(`${files.where}: no current-context`);
  return undefined;
}

function clusterIn(
  files: ConfigurationFiles,
  context: Entry | undefined,
  options: LoadClientConfigurationOptions,
): Entry {
  const { cluster: name, defaultServer } = options;
  const cluster = name ? namedIn(files, 'clusters', name) : referenced(files, context, 'cluster');
  if (cluster === undefined && context !== undefined && defaultServer === undefined)
    throw entryError(context, 'no cluster');
  const { fields, ...entry } = cluster ?? missingEntry('cluster');
  const defaults = defaultServer === undefined ? {} : { server: defaultServer };
  return clusterWith(options, { ...entry, fields: { ...defaults, ...fields } });
}

function userIn(
  files: ConfigurationFiles,
  context: Entry | undefined,
  options: LoadClientConfigurationOptions,
): Entry | undefined {
  const user = options.user ? namedIn(files, 'users', options.user) : referenced(files, context, 'user');
  return user === undefined && !options.token ? undefined : userWith(options, user ?? missingEntry('user'));
}

function missingEntry(member: 'cluster' | 'user'): Entry {
  return { fields: {}, directory: process.cwd(), where: member };
}

function referenced(
  files: ConfigurationFiles,
  context: Entry | undefined,
  member: 'cluster' | 'user',
): Entry | undefined {
  const name = context && readText(context, member);
  if (context === undefined || name === undefined) return undefined;
  const found = files.find(`${member}s`, name);
  if (!found) throw entryError(context, `${member}s has no entry ${JSON.stringify(name)}`);
  return found;
}

function namedIn(files: ConfigurationFiles, list: 'contexts' | 'clusters' | 'users', name: string): Entry {
  const found = files.find(list, name);
  if (!found) throw new Error(`${files.where}: ${list} has no entry ${JSON.stringify(name)}`);
  return found;
}

function credentialsIn(user: Entry, cluster: Entry): Pick<ClientConfiguration, 'exec'> & UserConfiguration {
  const exec = parseExecPlugin(user, cluster);
  return { ...parseUser(user), ...(exec && { exec }) };
}

function parseCluster(
  cluster: Entry,
  { allowInsecureTls = false, allowHttp = false }: LoadClientConfigurationOptions,
): ClientConfiguration {
  const refused = refusedClusterFields.find(field => hasField(cluster, field));
  if (refused) throw entryError(cluster, `${refused} is not supported`);
  const certificateAuthority = readBytes(cluster, 'certificate-authority');
  const tlsServerName = readText(cluster, 'tls-server-name');
  const isInsecure = isOn(cluster, 'insecure-skip-tls-verify');
  if (isInsecure && !allowInsecureTls) throw entryError(cluster, 'insecure-skip-tls-verify is not supported');
  if (isInsecure && certificateAuthority)
    throw entryError(cluster, 'certificate-authority and insecure-skip-tls-verify exclude each other');
  return {
    servers: [readServer(cluster, allowHttp)],
    ...(certificateAuthority && { certificateAuthority }),
    ...(tlsServerName && { tlsServerName }),
    ...(isInsecure && { insecureSkipTlsVerify: true }),
  };
}

function readServer(cluster: Entry, allowHttp: boolean): string {
  const text = readText(cluster, 'server');
  if (text === undefined) throw entryError(cluster, 'no server');
  const server = allowHttp && !text.includes('://') ? `http://${text}` : text;
  const protocol = URL.parse(server)?.protocol;
  if (protocol === 'https:' || (allowHttp && protocol === 'http:')) return server;
  throw entryError(cluster, `server must be an ${allowHttp ? 'http or https' : 'https'} URL`);
}

/** The choices of a program's user in place of the entries of the files; an empty text is no choice. */
interface ConfigurationOverrides {
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
function clusterWith(overrides: ConfigurationOverrides, cluster: Entry): Entry {
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
function userWith({ token }: ConfigurationOverrides, user: Entry): Entry {
  if (!token) return user;
  const kept = Object.entries(user.fields).filter(([field]) => !replacedByToken.has(field));
  return { ...user, fields: { ...Object.fromEntries(kept), token } };
}
