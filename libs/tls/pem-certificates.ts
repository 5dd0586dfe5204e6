/** Returns the certificates in a PEM text, unchanged. */
export function pemCertificates(pem: string | Buffer): string[] {
  return pem.toString().match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}
