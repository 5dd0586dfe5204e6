/** The certificates in a PEM text, each as it stands there. */
export function pemCertificates(pem: string | Buffer): string[] {
  return pem.toString().match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}
