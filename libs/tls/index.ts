export { certificateEnd, noteCertificates } from './certificate-metrics.ts';
export { createPki, type Pki, type PkiBackend, pkiPaths } from './create-pki.ts';
export { pemCertificates } from './pem-certificates.ts';
export { loadTls, type TlsMaterial } from './tls-material.ts';
