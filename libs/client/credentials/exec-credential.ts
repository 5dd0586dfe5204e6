import { isJsonObject, type JsonObject, parseTimestamp } from '@binnacle/api-objects';
import { assertUsablePair } from '@binnacle/backend-access';
import { parseYamlAtOnce } from '@binnacle/codecs/texts';
import { chooseExecInfoVariable, type ExecPlugin } from '../configuration/exec-plugin.ts';
import { isToken } from '../configuration/user.ts';
import { bearer, type Credentials } from './credential-source.ts';

/** Credentials that a plugin printed. */
export interface GivenCredentials {
  readonly credentials: Credentials;
  /** Expiry as Unix time in ms; infinity: valid until a server refuses them. */
  readonly expiresAt: number;
}

/** Creates the environment variable with the request to a plugin (spec 2, "ExecCredential"). */
export function createExecInfo(plugin: ExecPlugin, interactive: boolean): Record<string, string> {
  const spec = { ...(plugin.cluster && { cluster: plugin.cluster }), interactive };
  const { apiVersion } = plugin;
  return { [chooseExecInfoVariable(plugin)]: JSON.stringify({ apiVersion, kind: 'ExecCredential', spec }) };
}

/** Parses the ExecCredential that a plugin printed. Throws an Error that does not quote it, because it holds secrets. */
export function parseExecCredential(output: Buffer, plugin: ExecPlugin): GivenCredentials {
  const answer = objectFrom(output);
  if (answer['kind'] !== 'ExecCredential') throw new Error('the output is not an ExecCredential');
  if (answer['apiVersion'] !== plugin.apiVersion)
    throw new Error(`the ExecCredential is not of version ${plugin.apiVersion}`);
  const { status } = answer;
  if (!isJsonObject(status)) throw new Error('the ExecCredential has no status');
  const token = readText(status, 'token');
  if (token !== '' && !isToken(token)) throw new Error('status.token has invalid characters');
  const certificate = certificatePair(status);
  if (token === '' && !certificate)
    throw new Error('the ExecCredential has neither a token nor a certificate');
  return {
    credentials: { ...(token !== '' && { authorization: bearer(token) }), ...certificate },
    expiresAt: readExpiry(status),
  };
}

function objectFrom(output: Buffer): JsonObject {
  let value: unknown;
  try {
    value = parseYamlAtOnce(output).value;
  } catch {
    throw new Error('the output is neither JSON nor YAML');
  }
  return isJsonObject(value) ? value : {};
}

function readText(status: JsonObject, field: string): string {
  const value = status[field] ?? '';
  if (typeof value !== 'string') throw new Error(`status.${field} is not a string`);
  return value;
}

function certificatePair(status: JsonObject): Credentials | undefined {
  const cert = readText(status, 'clientCertificateData');
  const key = readText(status, 'clientKeyData');
  if (cert === '' && key === '') return undefined;
  if (cert === '' || key === '')
    throw new Error('status.clientCertificateData and status.clientKeyData must be given together');
  try {
    assertUsablePair({ cert, key });
  } catch {
    throw new Error('status.clientCertificateData and status.clientKeyData are not a pair in PEM');
  }
  return { clientCertificate: Buffer.from(cert), clientKey: Buffer.from(key) };
}

function readExpiry(status: JsonObject): number {
  const text = readText(status, 'expirationTimestamp');
  if (text === '') return Number.POSITIVE_INFINITY;
  const expiresAt = parseTimestamp(text);
  if (expiresAt === undefined) throw new Error('status.expirationTimestamp is not an RFC 3339 time');
  return expiresAt;
}
