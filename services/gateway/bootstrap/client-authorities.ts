import { X509Certificate } from 'node:crypto';
import { namespaces } from '@binnacle/api-names';
import type { ConfigMap } from '@binnacle/api-types/core/v1';
import { pemCertificates } from '@binnacle/tls';
import type { ProxySettings } from '../authentication/authenticating-proxy.ts';
import type { ClientAuthorities } from '../authentication/client-certificate.ts';
import { authenticationConfigMap } from '../authorization/default-policy/namespace-roles.ts';
import type { BootstrapObject } from './ensure-objects.ts';

/** The authorities that a server publishes. */
interface PublishedAuthentication {
  readonly authorities: ClientAuthorities;
  readonly proxies: ProxySettings;
}

type Data = NonNullable<ConfigMap['data']>;

/**
 * The config map with the authorities of client certificates, and with those of authenticating proxies and the headers
 * that these send. Each server adds its own to what others published, and removes expired certificates; other content
 * of the config map stays. None for a server that takes no client certificates.
 */
export function clientAuthorities(published: PublishedAuthentication, now: number): BootstrapObject[] {
  const { clientCa, proxyCa } = published.authorities;
  if (clientCa === undefined && proxyCa === undefined) return [];
  return [
    {
      group: '',
      version: 'v1',
      resource: 'configmaps',
      namespace: namespaces.system,
      name: authenticationConfigMap,
      content: { metadata: {}, data: dataWith({}, published, now) },
      comesBack: true,
      reconciled: undefined,
      bring: current => withAuthentication(current, published, now),
    },
  ];
}

function withAuthentication(current: ConfigMap, published: PublishedAuthentication, now: number): ConfigMap {
  const { data = {} } = current;
  const next = dataWith(data, published, now);
  return Object.keys(next).every(key => next[key] === data[key]) ? current : { ...current, data: next };
}

function dataWith(data: Data, { authorities, proxies }: PublishedAuthentication, now: number): Data {
  const { clientCa, proxyCa } = authorities;
  const bundle = (key: string, pem: string | Buffer) => ({
    [key]: createBundle([data[key] ?? '', pem], now),
  });
  const list = (key: string, values: readonly string[]) => ({ [key]: mergeList(data[key], values) });
  return {
    ...data,
    ...(clientCa !== undefined && bundle('client-ca-file', clientCa)),
    ...(proxyCa !== undefined && {
      ...bundle('requestheader-client-ca-file', proxyCa),
      ...list('requestheader-username-headers', proxies.requestheaderUsernameHeaders),
      ...list('requestheader-group-headers', proxies.requestheaderGroupHeaders),
      ...list('requestheader-extra-headers-prefix', proxies.requestheaderExtraHeadersPrefix),
      ...list('requestheader-allowed-names', proxies.requestheaderAllowedNames),
    }),
  };
}

/** A PEM bundle with each certificate once, as it was written first, and without expired ones. */
function createBundle(pems: readonly (string | Buffer)[], now: number): string {
  const certificates = new Map<string, string>();
  for (const text of pems.flatMap(pemCertificates)) {
    const certificate = read(text);
    if (certificate === undefined || Date.parse(certificate.validTo) < now) continue;
    if (!certificates.has(certificate.fingerprint256)) certificates.set(certificate.fingerprint256, text);
  }
  return [...certificates.values()].map(text => `${text}\n`).join('');
}

/** Reads a certificate; undefined for other text, which writers of the config map can put there. */
function read(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

/** Texts as a JSON list: those that are published already, then what is new. */
function mergeList(published: string | undefined, values: readonly string[]): string {
  return JSON.stringify([...new Set([...textsIn(published), ...values])]);
}

function textsIn(json: string | undefined): string[] {
  try {
    const value: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(value) ? value.filter(text => typeof text === 'string') : [];
  } catch {
    return [];
  }
}
