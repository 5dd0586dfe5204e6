import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { groups } from '@binnacle/api-names';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { asText, canonicalApiVersion } from '@binnacle/api-types';
import { FlagError } from '@binnacle/flags';
import type { CallCredentials } from '@binnacle/proto';
import { readDocument } from '../../chain/admission-configuration.ts';
import type { PluginConfiguration } from '../../chain/plugin-registration.ts';
import type { Webhook } from './webhook.ts';

/** Returns the credentials for a webhook; undefined where there are none. */
export type WebhookCredentials = (webhook: Pick<Webhook, 'url' | 'service'>) => CallCredentials | undefined;

/** The forms of the plugins' configuration, the second one deprecated (spec 2, "Admission configuration"). */
const configurationForms: ReadonlySet<string> = new Set([
  `${groups.apiserverConfig}/v1 WebhookAdmissionConfiguration`,
  `${groups.apiserverConfig}/v1alpha1 WebhookAdmission`,
  `${groups.apiserver}/v1alpha1 WebhookAdmission`,
]);

/**
 * Reads the credentials for webhooks from the client configuration that a plugin's configuration names (spec 2, "Webhook server
 * authentication by the API server"); without one there are none. Throws a FlagError for unknown content of either file.
 */
export function readWebhookCredentials(configuration: PluginConfiguration | undefined): WebhookCredentials {
  if (configuration === undefined) return () => undefined;
  const { document, directory } = configuration;
  const { apiVersion, kind, kubeConfigFile = '', ...unknown } = document;
  const form = `${canonicalApiVersion(asText(apiVersion))} ${asText(kind)}`;
  if (!configurationForms.has(form))
    throw problem(`expected one of ${[...configurationForms].join(', ')}, got ${form}`);
  const [field] = Object.keys(unknown);
  if (field !== undefined) throw problem(`unknown field ${JSON.stringify(field)}`);
  if (typeof kubeConfigFile !== 'string') throw problem('kubeConfigFile is not a string');
  if (kubeConfigFile === '') return () => undefined;
  return credentialsByHost(readUsers(resolve(directory, kubeConfigFile)));
}

/**
 * Selects credentials by the host of a webhook: exact names first, then ever shorter `*.` names, the default port omitted, then
 * `*`.
 */
function credentialsByHost(users: ReadonlyMap<string, CallCredentials>): WebhookCredentials {
  return webhook => {
    const target = hostPortFromWebhook(webhook);
    const names = target.endsWith(':443') ? [target, target.slice(0, -':443'.length)] : [target];
    for (const name of names) {
      const found = matchByName(users, name);
      if (found !== undefined) return found;
    }
    return users.get('*');
  };
}

function matchByName(users: ReadonlyMap<string, CallCredentials>, name: string): CallCredentials | undefined {
  const exact = users.get(name);
  if (exact !== undefined) return exact;
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const wildcard = users.get(`*${name.slice(dot)}`);
    if (wildcard !== undefined) return wildcard;
  }
  return undefined;
}

/** Formats the host and port of a webhook as `host:port`. */
function hostPortFromWebhook({ url, service }: Pick<Webhook, 'url' | 'service'>): string {
  if (service !== undefined) return `${service.name}.${service.namespace}.svc:${service.port || 443}`;
  if (!URL.canParse(url)) return '';
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 443}`;
}

function readUsers(file: string): ReadonlyMap<string, CallCredentials> {
  const { users = [] } = readDocument(file);
  if (!Array.isArray(users)) throw problem(`${file}: users is not a list`);
  return new Map(
    users.map(entry => {
      const { name: given, user = {} } = isJsonObject(entry) ? entry : {};
      const name = asText(given);
      if (name === '') throw problem(`${file}: a user has no name`);
      if (!isJsonObject(user)) throw problem(`${file}: user ${name} is not an object`);
      return [name, credentialsFrom(user, `${file}: user ${name}`)];
    }),
  );
}

const knownUserFields: ReadonlySet<string> = new Set([
  'client-certificate-data',
  'client-key-data',
  'username',
  'password',
  'token',
]);

function credentialsFrom(user: JsonObject, where: string): CallCredentials {
  const unknown = Object.keys(user).find(field => !knownUserFields.has(field));
  if (unknown !== undefined) throw problem(`${where}: ${unknown} is not supported`);
  const { username, password, token } = user;
  const credentials = {
    clientCertificate: decodeBytes(user['client-certificate-data']),
    clientKey: decodeBytes(user['client-key-data']),
    username: asText(username),
    password: asText(password),
    token: asText(token),
  };
  assertUsablePair(credentials, where);
  return credentials;
}

function assertUsablePair({ clientCertificate: cert, clientKey: key }: CallCredentials, where: string): void {
  if (cert.length === 0 && key.length === 0) return;
  if (cert.length === 0 || key.length === 0)
    throw problem(`${where}: client-certificate-data and client-key-data must be given together`);
  try {
    createSecureContext({ cert: Buffer.from(cert), key: Buffer.from(key) });
  } catch {
    throw problem(`${where}: the certificate and the key are not a pair in PEM`);
  }
}

function decodeBytes(base64: JsonValue | undefined): Uint8Array {
  return Buffer.from(asText(base64), 'base64');
}

function problem(what: string): FlagError {
  return new FlagError(`configuration of webhook admission: ${what}`);
}
