import { X509Certificate } from 'node:crypto';
import { pemCertificates } from '@binnacle/tls';

/**
 * A serving certificate followed by those of its issuers that are among these authorities, in PEM.
 *
 * OpenSSL looks for the issuers of a certificate that stands alone, among the authorities of clients, and shows them too;
 * but it does so in each handshake, and verifies the signatures again: a fifth of the processor time of a handshake. A text with
 * several certificates is taken as it is; so is one that cannot be read, which is reported where it is used.
 */
export function certificateChain(cert: string | Buffer, authorities: string | Buffer): string | Buffer {
  const shown = pemCertificates(cert);
  const [first] = shown;
  if (first === undefined || shown.length > 1) return cert;
  const chain = [first];
  let last = first;
  while (!isIssuedBy(last, last)) {
    const issuer = pemCertificates(authorities).find(text => !chain.includes(text) && isIssuedBy(last, text));
    if (issuer === undefined) break;
    chain.push(issuer);
    last = issuer;
  }
  return chain.length === 1 ? cert : chain.map(text => `${text}\n`).join('');
}

/** Whether the key of the second certificate signed the first one; not so when either cannot be read, or its kind of key. */
function isIssuedBy(text: string, issuerText: string): boolean {
  try {
    const [certificate, issuer] = [new X509Certificate(text), new X509Certificate(issuerText)];
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}
