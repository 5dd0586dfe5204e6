/** Certificates for tests of other packages. */

export {
  type IssuedCertificate,
  issueAuthority,
  issueCertificate,
  issueIntermediates,
} from './issue-certificate.ts';
