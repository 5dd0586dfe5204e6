import { resolve } from 'node:path';
import { type ConfigurationFiles, readConfigurationFiles } from './configuration-files.ts';
import { type Entry, entryError, hasField, isOn, readBytes, readText } from './entry.ts';
import { type ExecPlugin, parseExecPlugin } from './exec-plugin.ts';
import { parseUser, type UserConfiguration } from './user.ts';

/** The servers of a client, how it verifies them, and its credentials. */
export interface ClientConfiguration extends UserConfiguration {
  /** Base URLs of equivalent servers; the client tries another one if a server is unreachable. */
  readonly servers: readonly string[];
  /** Authorities that sign the server's certificate, in PEM; undefined: those of the system. */
  readonly certificateAuthority?: Buffer;
  /** Name in the server's certificate, if it differs from the host of the URL. */
  readonly tlsServerName?: string;
  /** Whether the server's certificate is not verified. */
  readonly insecureSkipTlsVerify?: true;
  /** Plugin for the credentials of a user without any other credentials. */
  readonly exec?: ExecPlugin;
  /** Namespace of the context. */
  readonly namespace?: string;
}

/** Options of reading client configuration files. */
export interface LoadClientConfigurationOptions extends ConfigurationOverrides {
  /** Name of the context; default: the current context. */
  readonly context?: string | undefined;
  /** Name of the cluster entry; default: that of the context. */
  readonly cluster?: string | undefined;
  /** Name of the user entry; default: that of the context. */
  readonly user?: string | undefined;
  /** The server if neither an option nor an entry names one. With it, no file and no context is required. */
  readonly defaultServer?: string;
  /** Whether `insecure-skip-tls-verify` is accepted, for programs at a terminal. Default: false. */
  readonly allowInsecureTls?: boolean;
  /**
   * Whether plain HTTP servers are accepted, also for addresses without a scheme. As in kubectl, they get no
   * credentials. Default: false.
   */
  readonly allowHttp?: boolean;
}

/** Fields that must not be ignored, because requests would then take another route. */
const refusedClusterFields: readonly string[] = ['proxy-url'];

/**
 * Reads client configuration files as kubectl does (spec 2: `clusters`, `users` and `contexts`) and returns the
 * configuration of a context. If several files have an entry of a name, the first one counts; missing files are skipped.
 * Relative paths are resolved against the file that contains them, and `-data` fields take precedence over files. Throws
 * an Error that names the file and the entry, and holds no secret.
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

/** Options of the program's user that override entries of the files; an empty text overrides nothing. */
interface ConfigurationOverrides {
  /** URL of the server. It also removes `tls-server-name` of the entry, which belongs to another server. */
  readonly server?: string | undefined;
  /** Path of the file with the authorities' certificates. */
  readonly certificateAuthority?: string | undefined;
  readonly tlsServerName?: string | undefined;
  /** Whether the server's certificate is not verified; it also removes the authorities of the entry. */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** Token that replaces the token, token file, password and plugin of the user entry, but not its certificate. */
  readonly token?: string | undefined;
}

/** Fields of a user entry that a token replaces. */
const replacedByToken = new Set(['token', 'tokenFile', 'username', 'password', 'exec', 'auth-provider']);

/** Returns a cluster entry with the overrides. */
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

/** Returns a user entry with the overriding token, if there is one. */
function userWith({ token }: ConfigurationOverrides, user: Entry): Entry {
  if (!token) return user;
  const kept = Object.entries(user.fields).filter(([field]) => !replacedByToken.has(field));
  return { ...user, fields: { ...Object.fromEntries(kept), token } };
}
