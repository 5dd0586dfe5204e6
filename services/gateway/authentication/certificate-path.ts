import { X509Certificate } from 'node:crypto';
import { pemCertificates } from '@binnacle/tls';

/** Certificates of a path, from that of the holder to that of an authority. */
type Path = readonly X509Certificate[];

/** Options of the search for a path. */
interface PathSearch {
  /** The certificate of the holder. */
  readonly certificate: X509Certificate;
  /** Further certificates that the holder sent. */
  readonly shown: readonly X509Certificate[];
  readonly authorities: readonly X509Certificate[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Most certificates between the ends of a path: the default limit of TLS. */
const longestPath = 10;
/** Most signatures that are verified for one path: clients choose the certificates that they send. */
const mostSignatures = 100;

/** The certificates in a PEM text. Throws for one that cannot be read. */
export function certificatesIn(pem: string | Buffer): X509Certificate[] {
  return pemCertificates(pem).map(text => new X509Certificate(text));
}

/**
 * A path from a certificate to one of the authorities, each signed by the key of the next and within its dates;
 * undefined when there is none. It finds the authorities of a certificate that TLS has accepted: TLS knows only one
 * list of them, and checks the permitted uses.
 */
export function pathToAuthority({ certificate, shown, authorities, now }: PathSearch): Path | undefined {
  let signatures = 0;
  const isIssuedBy = (issued: X509Certificate, issuer: X509Certificate): boolean =>
    issued.checkIssued(issuer) && ++signatures <= mostSignatures && hasSigned(issuer, issued);
  const isAuthority = (candidate: X509Certificate): boolean =>
    authorities.some(({ fingerprint256 }) => fingerprint256 === candidate.fingerprint256);
  const extend = (path: Path, last: X509Certificate): Path | undefined => {
    if (isAuthority(last)) return path;
    const authority = authorities.find(each => isValid(each, now) && isIssuedBy(last, each));
    if (authority !== undefined) return [...path, authority];
    if (path.length >= longestPath) return undefined;
    for (const issuer of shown) {
      const isUsable = issuer.ca && isValid(issuer, now) && !isIn(path, issuer);
      const found = isUsable && isIssuedBy(last, issuer) ? extend([...path, issuer], issuer) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return isValid(certificate, now) ? extend([certificate], certificate) : undefined;
}

function isIn(path: Path, certificate: X509Certificate): boolean {
  return path.some(({ fingerprint256 }) => fingerprint256 === certificate.fingerprint256);
}

function isValid({ validFromDate, validToDate }: X509Certificate, now: number): boolean {
  return validFromDate.getTime() <= now && now < validToDate.getTime();
}

/** Whether one certificate's key signed the other; false for a kind of key that the library does not know. */
function hasSigned(issuer: X509Certificate, issued: X509Certificate): boolean {
  try {
    return issued.verify(issuer.publicKey);
  } catch {
    return false;
  }
}
