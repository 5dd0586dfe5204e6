import { X509Certificate } from 'node:crypto';
import { Refusal } from '@binnacle/backend-access';
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
 * file, the earliest expiry counts. A file that cannot be read is skipped; the code that uses it reports the error. Throws a Refusal
 * that names the clock where a certificate is not valid yet: handshakes would fail, and not say why.
 */
export function noteCertificates(
  metrics: Metrics,
  certificates: readonly NotedCertificate[],
  now = Date.now(),
): void {
  const expiry = metrics.gauge({
    name: 'binnacle_certificate_expiry_timestamp_seconds',
    help: 'Unix time at which a certificate that this process presents or trusts expires.',
    labelNames: ['certificate'],
  });
  for (const { name, pem } of certificates) {
    if (pem !== undefined) assertBegun(name, pem, now);
    const end = pem === undefined ? undefined : certificateEnd(pem);
    if (end !== undefined) expiry.labels(name).set(end / 1000);
  }
}

/** Asserts that a certificate is valid by now; of several authorities, that one is. */
function assertBegun(name: string, pem: string | Buffer, now: number): void {
  const found = readCertificates(pem);
  const isAhead = ({ validFrom }: X509Certificate) => Date.parse(validFrom) > now;
  const [first] = found;
  if (first === undefined || !(found.every(isAhead) || (!first.ca && isAhead(first)))) return;
  const begin = new Date(first.validFrom).toISOString();
  throw new Refusal(
    `the clock of this machine says ${new Date(now).toISOString()}, and the certificate "${name}" is valid from ${begin}: set the clock`,
  );
}

/** Returns the earliest expiry of these certificates, in Unix milliseconds; undefined if there is none or one is unreadable. */
export function certificateEnd(pem: string | Buffer): number | undefined {
  const ends = readCertificates(pem).map(({ validTo }) => Date.parse(validTo));
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** Reads the certificates of a file; none if one is unreadable. */
function readCertificates(pem: string | Buffer): X509Certificate[] {
  try {
    return pemCertificates(pem).map(text => new X509Certificate(text));
  } catch {
    return [];
  }
}
