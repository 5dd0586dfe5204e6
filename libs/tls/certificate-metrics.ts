import { X509Certificate } from 'node:crypto';
import type { Metrics } from '@binnacle/telemetry';
import { pemCertificates } from './pem-certificates.ts';

/** A certificate of this process, or an authority that it trusts: PEM, with as many certificates as it holds. */
interface NotedCertificate {
  /** Value of the label `certificate`. */
  readonly name: string;
  readonly pem: string | Buffer | undefined;
}

/**
 * Shows when certificates end, as `binnacle_certificate_expiry_timestamp_seconds`. Of several in one file the one that
 * ends first counts. What cannot be read is left out: what uses it says so.
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

/** When the first of these certificates ends, in Unix milliseconds; undefined when there is none that can be read. */
export function certificateEnd(pem: string | Buffer): number | undefined {
  try {
    const ends = pemCertificates(pem).map(text => Date.parse(new X509Certificate(text).validTo));
    return ends.length === 0 ? undefined : Math.min(...ends);
  } catch {
    return undefined;
  }
}
