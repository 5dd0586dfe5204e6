import { type Entry, entryError, hasField, readBytes, readNamedFile, readPath, readText } from './entry.ts';

/** The credentials of a user that the configuration itself contains. */
export interface UserConfiguration {
  /** Client certificate in PEM. */
  readonly clientCertificate?: Buffer;
  /** Private key in PEM. */
  readonly clientKey?: Buffer;
  readonly token?: string;
  /** Absolute path of the token file, which is reread at most once a minute. */
  readonly tokenFile?: string;
  readonly basic?: BasicCredentials;
}

/** A user name and password for the `Basic` scheme. */
interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

/** Fields that must not be ignored, because requests would then be sent as another user. */
const refusedFields: readonly string[] = ['auth-provider', 'as', 'as-uid', 'as-groups', 'as-user-extra'];

/** Parses a user entry without its `exec`. A certificate requires its key; token and password exclude each other. */
export function parseUser(user: Entry): UserConfiguration {
  const refused = refusedFields.find(field => hasField(user, field));
  if (refused) throw entryError(user, `${refused} is not supported`);
  const clientCertificate = readBytes(user, 'client-certificate');
  const clientKey = readBytes(user, 'client-key');
  if ((clientCertificate === undefined) !== (clientKey === undefined))
    throw entryError(user, 'client-certificate and client-key must be given together');
  const token = readToken(user);
  const tokenFile = readText(user, 'token') === undefined ? readPath(user, 'tokenFile') : undefined;
  const basic = readBasicCredentials(user);
  if (basic && token !== undefined) throw entryError(user, 'token and username exclude each other');
  return {
    ...(clientCertificate && { clientCertificate }),
    ...(clientKey && { clientKey }),
    ...(token && { token }),
    ...(tokenFile && { tokenFile }),
    ...(basic && { basic }),
  };
}

/** Whether a text can be a bearer token: only printable ASCII characters without spaces. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

function readToken(user: Entry): string | undefined {
  const token = readText(user, 'token');
  if (token !== undefined && !isToken(token)) throw entryError(user, 'token has invalid characters');
  const content = token ?? readNamedFile(user, 'tokenFile')?.toString().trim();
  if (content !== undefined && !isToken(content))
    throw entryError(user, 'tokenFile: the file is empty or has invalid characters');
  return content;
}

function readBasicCredentials(user: Entry): BasicCredentials | undefined {
  const username = readText(user, 'username');
  const password = readText(user, 'password');
  if (username === undefined && password === undefined) return undefined;
  if (username === undefined) throw entryError(user, 'password without username');
  if (username.includes(':')) throw entryError(user, 'username must not have a colon');
  return { username, password: password ?? '' };
}
