import { X509Certificate } from 'node:crypto';
import type { Metrics } from '@binnacle/telemetry';
import { pemCertificates } from './pem-certificates.ts';

/** A PEM file with one or more certificates that this process presents or trusts. */
interface NotedCertificate {
  /** Value of the label `certificate`. */
  readonly name: string;
  readonly pem: string | Buffer | undefined;
}

/**
 * Exports the expiry of certificates as `binnacle_certificate_expiry_timestamp_seconds`. Of several certificates in one
 * file, the earliest expiry counts. A file that cannot be read is skipped; the code that uses it reports the error.
 */
export function noteCertificates(metrics: Metrics, certificates: readonly NotedCertificate[]): void {
  const expiry = metrics.gauge({
    name: 'binnacle_certificate_expiry_timestamp_seconds',
    help: 'Unix time at which a certificate that this process presents or trusts expires.',
    labelNames: ['certificate'],
  });
  for (const { name, pem } of certificates) {
    const end = pem === undefined ? undefined : certificateEnd(pem);
    if (end !== undefined) expiry.labels(name).set(end / 1000);
  }
}

/** Returns the earliest expiry of these certificates, in Unix milliseconds; undefined if there is none or one is unreadable. */
export function certificateEnd(pem: string | Buffer): number | undefined {
  try {
    const ends = pemCertificates(pem).map(text => Date.parse(new X509Certificate(text).validTo));
    return ends.length === 0 ? undefined : Math.min(...ends);
  } catch {
    return undefined;
  }
}
