import { X509Certificate } from 'node:crypto';
import type { ConfigMap } from '@binnacle/api-types/core/v1';
import { pemCertificates } from '@binnacle/service-kit';
import type { BootstrapObject } from './bootstrap-objects.ts';

/** The config map by which extension servers know whose client certificates this API trusts. */
export const authenticationConfigMap = 'extension-apiserver-authentication';

const caField = 'client-ca-file';

/**
 * The config map with the authorities of client certificates. Each server adds its own to those that others published, and
 * takes out what is past its date; what else is in the config map stays. None for a server that takes no client certificates.
 */
export function clientAuthorities(pem: string | undefined, now: number): BootstrapObject[] {
  if (pem === undefined) return [];
  return [
    {
      group: '',
      version: 'v1',
      resource: 'configmaps',
      namespace: 'cluster-system',
      name: authenticationConfigMap,
      content: { metadata: {}, data: { [caField]: bundleOf([pem], now) } },
      reconciled: undefined,
      bring: current => withAuthorities(current, pem, now),
    },
  ];
}

function withAuthorities(current: ConfigMap, pem: string, now: number): ConfigMap {
  const { data = {} } = current;
  const published = data[caField];
  const bundle = bundleOf([published ?? '', pem], now);
  return bundle === published ? current : { ...current, data: { ...data, [caField]: bundle } };
}

/** Each certificate once, as it was written first. */
function bundleOf(pems: readonly string[], now: number): string {
  const certificates = new Map<string, string>();
  for (const text of pems.flatMap(pemCertificates)) {
    const certificate = read(text);
    if (certificate === undefined || Date.parse(certificate.validTo) < now) continue;
    if (!certificates.has(certificate.fingerprint256)) certificates.set(certificate.fingerprint256, text);
  }
  return [...certificates.values()].map(text => `${text}\n`).join('');
}

/** Anybody who may write the config map can put anything there. */
function read(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}
