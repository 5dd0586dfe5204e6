import {
  BackendRefusal,
  type ClientTls,
  type ClientTlsFiles,
  type FollowedFiles,
  followClientTls,
  isTlsFailure,
  readSecretFile,
} from '@binnacle/backend-access';
import { FlagError } from '@binnacle/flags';
import { errorMessage } from '@binnacle/status-errors';

/** Address of Redis, and the credentials of this service. */
export interface RedisAccess {
  readonly host: string;
  readonly port: number;
  /** The number of the database. */
  readonly database: number;
  readonly username: string | undefined;
  /** Reads the password, anew for each connection where it is in a file; undefined without one. */
  password(): Promise<string | undefined>;
  /** TLS settings; undefined: plaintext. Without an authority of its own, `rediss://` trusts those of the machine. */
  readonly tls: Partial<ClientTls> | undefined;
}

/** The values of the flags of Redis. */
export interface RedisFlags {
  readonly redisUrl?: string | undefined;
  readonly redisCaFile?: string | undefined;
  readonly redisCertFile?: string | undefined;
  readonly redisKeyFile?: string | undefined;
  readonly redisUsername?: string | undefined;
  readonly redisPasswordFile?: string | undefined;
}

/**
 * Reads the access to Redis from flags, and follows the TLS files; undefined without `--redis-url`. Throws a FlagError for flags that
 * contradict each other. The URL may contain credentials, so no error quotes it.
 */
export async function redisAccessFrom(
  flags: RedisFlags,
  followed?: FollowedFiles,
): Promise<RedisAccess | undefined> {
  const { redisUrl, redisUsername, redisPasswordFile } = flags;
  const files = { caFile: flags.redisCaFile, certFile: flags.redisCertFile, keyFile: flags.redisKeyFile };
  if (redisUrl === undefined) {
    if ([...Object.values(files), redisUsername, redisPasswordFile].some(value => value !== undefined))
      throw new FlagError('the other --redis flags need --redis-url');
    return undefined;
  }
  const url = URL.canParse(redisUrl) ? new URL(redisUrl) : undefined;
  if (url === undefined || !/^rediss?:$/.test(url.protocol) || !/^\/?\d*$/.test(url.pathname))
    throw new FlagError('--redis-url must be redis:// or rediss:// and an address');
  const secure = url.protocol === 'rediss:';
  const given = await tlsFrom(files, followed);
  if (!secure && (given !== undefined || redisPasswordFile !== undefined))
    throw new FlagError(
      'TLS files and a password file of Redis need a --redis-url that begins with rediss://',
    );
  if ((url.username || url.password) && (redisUsername ?? redisPasswordFile) !== undefined)
    throw new FlagError('--redis-url holds credentials already');
  if (redisUsername !== undefined && redisPasswordFile === undefined)
    throw new FlagError('--redis-username needs --redis-password-file');
  await passwordIn(redisPasswordFile);
  return {
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: Number(url.port || 6379),
    database: Number(url.pathname.slice(1)),
    username: redisUsername ?? (decodeURIComponent(url.username) || undefined),
    password: async () =>
      (await passwordIn(redisPasswordFile)) ?? (decodeURIComponent(url.password) || undefined),
    tls: secure ? (given ?? {}) : undefined,
  };
}

async function tlsFrom(
  names: ClientTlsFiles,
  files: FollowedFiles | undefined,
): Promise<ClientTls | undefined> {
  return await followClientTls('redis', names, { files }).catch((cause: unknown) => {
    throw new FlagError(errorMessage(cause));
  });
}

async function passwordIn(file: string | undefined): Promise<string | undefined> {
  return file === undefined
    ? undefined
    : await readSecretFile(file).catch(cause => {
        throw new FlagError(`--redis-password-file: ${errorMessage(cause)}`);
      });
}

/**
 * Creates the refusal for an error of a connection to Redis; undefined for other errors. Its cause has only the text of the error:
 * errors of the client carry the failed command, with the password among its arguments.
 */
export function redisRefusalFrom(error: unknown): BackendRefusal | undefined {
  if (error instanceof BackendRefusal) return error;
  if (!(error instanceof Error)) return undefined;
  const kind = findRefusalKind(error);
  return kind && new BackendRefusal('redis', kind, { cause: new Error(error.message) });
}

function findRefusalKind(error: Error): BackendRefusal['kind'] | undefined {
  if (/^NOPERM\b/.test(error.message)) return 'permission';
  if (/^(?:WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password)\b/.test(error.message)) return 'credentials';
  return isTlsFailure(error) ? 'tls' : undefined;
}
