import { readFile } from 'node:fs/promises';
import type { FollowedFiles } from '@binnacle/backend-access';
import { readFlagFile } from '@binnacle/flags';
import { notAcceptable } from '@binnacle/status-errors';
import type { Logger } from '@binnacle/telemetry';
import { algorithmFromKey, jwkFromKey, publicKeysFrom } from '@binnacle/tokens';
import { parseAccept } from '../render/parse-accept.ts';
import { writeResponse } from '../render/write-response.ts';
import type { Exchange } from '../request/exchange.ts';
import { PageNotFound } from '../request/page-not-found.ts';

/** Options of the documents about the issuer of service-account tokens. */
export interface IssuerDiscoveryOptions {
  readonly issuer: string;
  /** Address of the keys for verifiers (`--service-account-jwks-uri`); undefined: at this server. */
  readonly jwksUri: string | undefined;
  /** PEM texts of the keys that tokens are signed and verified with at this moment; of private keys the public half is published. */
  readonly keys: readonly string[];
}

/** A document about the issuer, and its media type. */
interface IssuerDocument {
  readonly contentType: string;
  readonly body: Buffer;
}

/** The paths of the documents. */
const configurationPath = '/.well-known/openid-configuration';
const keysPath = '/openid/v1/jwks';

/**
 * The documents by which others verify service-account tokens (OpenID Connect Discovery 1.0), by their path. `serverAddress` is the
 * host and port under which clients reach this server. Throws an Error that says why there can be none: an issuer that is no https
 * URL, no key.
 */
export function issuerDocuments(
  { issuer, jwksUri, keys }: IssuerDiscoveryOptions,
  serverAddress: string,
): ReadonlyMap<string, IssuerDocument> {
  assertIssuer(issuer);
  const publicKeys = new Map(keys.flatMap(publicKeysFrom).map(key => [jwkFromKey(key).kid, key]));
  if (publicKeys.size === 0) throw new Error('there is no key that service-account tokens are verified with');
  const uri = jwksUri ?? `https://${serverAddress}${keysPath}`;
  if (protocolFromUrl(uri) !== 'https:')
    throw new Error('the address of the keys of the issuer must be an https URL');
  const configuration = {
    issuer,
    jwks_uri: uri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [
      ...new Set([...publicKeys.values()].map(algorithmFromKey)),
    ].sort(),
  };
  const createDocument = (contentType: string, value: object): IssuerDocument => ({
    contentType,
    body: Buffer.from(JSON.stringify(value)),
  });
  return new Map([
    [configurationPath, createDocument('application/json', configuration)],
    [
      keysPath,
      createDocument('application/jwk-set+json', { keys: [...publicKeys.values()].map(jwkFromKey) }),
    ],
  ]);
}

/** An issuer is known by an https URL without query and fragment (OpenID Connect Discovery 1.0, section 3). */
function assertIssuer(issuer: string): void {
  if (protocolFromUrl(issuer) !== 'https:')
    throw new Error('the issuer of service-account tokens is not an https URL');
  if (/[?#]/.test(issuer)) throw new Error('the issuer of service-account tokens has a query or a fragment');
}

function protocolFromUrl(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).protocol : undefined;
}

/** Reads the keys by which others verify service-account tokens, and follows their files; undefined: flags name none. */
export async function issuerDiscoveryFromFlags(
  flags: {
    readonly serviceAccountSigningKeyFile: string | undefined;
    readonly serviceAccountKeyFile: readonly string[];
    readonly serviceAccountIssuer: string;
    readonly serviceAccountJwksUri: string | undefined;
  },
  followed?: FollowedFiles,
): Promise<IssuerDiscoveryOptions | undefined> {
  const { serviceAccountSigningKeyFile: signingKeyFile, serviceAccountKeyFile: keyFiles } = flags;
  const files = [
    ...(signingKeyFile ? [['serviceAccountSigningKeyFile', signingKeyFile] as const] : []),
    ...keyFiles.map(file => ['serviceAccountKeyFile', file] as const),
  ];
  const readText = (path: string) => readFile(path, 'utf8');
  if (files.length === 0) return undefined;
  const read = () => Promise.all(files.map(([name, file]) => readFlagFile(name, file, readText)));
  const first = await read();
  const current = followed?.follow('keys of the issuer of tokens', {
    first,
    async read() {
      const keys = await read();
      for (const key of keys) publicKeysFrom(key);
      return keys;
    },
  });
  return {
    issuer: flags.serviceAccountIssuer,
    jwksUri: flags.serviceAccountJwksUri,
    get keys() {
      return current?.() ?? first;
    },
  };
}

/** The documents of this server about the issuer of service-account tokens. */
export interface IssuerDiscovery {
  /** Makes the documents once the address of the server is known; where there can be none, the log says why. */
  publish(serverAddress: string): void;
  /** The documents by their path; empty before they are made, and where there can be none. */
  documents(): ReadonlyMap<string, IssuerDocument>;
}

/** Creates the discovery of an issuer; undefined: the server takes no service-account tokens. */
export function createIssuerDiscovery(
  options: IssuerDiscoveryOptions | undefined,
  log: Logger,
): IssuerDiscovery {
  let documents: ReadonlyMap<string, IssuerDocument> = new Map();
  let address: string | undefined;
  let keys: readonly string[] | undefined;
  const make = (): void => {
    if (options === undefined || address === undefined || options.keys === keys) return;
    keys = options.keys;
    try {
      documents = issuerDocuments(options, address);
    } catch (error) {
      log.warn('the issuer of service-account tokens cannot be discovered', { error });
    }
  };
  return {
    publish(serverAddress) {
      address = serverAddress;
      make();
    },
    documents() {
      make();
      return documents;
    },
  };
}

/** Whether a path is a document about the issuer of service-account tokens, which a slash at its end does not change. */
export function isIssuerPath(path: string): boolean {
  const name = withoutSlash(path);
  return name === configurationPath || name === keysPath;
}

/**
 * Answers with the document of a path, which has one form. Clients and proxies may keep it for an hour: it is the same
 * for all users. Throws NotAcceptable for a client that takes other media types alone.
 */
export async function serveIssuerDocument(exchange: Exchange, issuer: IssuerDiscovery): Promise<void> {
  const document = issuer.documents().get(withoutSlash(exchange.path));
  if (document === undefined) throw new PageNotFound();
  if (!accepts(exchange.request.headers.accept, document.contentType))
    throw notAcceptable([document.contentType]);
  exchange.response.setHeader('Cache-Control', 'public, max-age=3600');
  await writeResponse(exchange, { code: 200, ...document });
}

function accepts(accept: string | undefined, contentType: string): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return parseAccept(accept).some(
    ({ type }) => type === contentType || type === 'application/*' || type === '*/*',
  );
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}
