/** A request for CN=user, O=group, signed by a key of P-256. */
const request = [
  '-----BEGIN CERTIFICATE REQUEST-----',
  'MIHbMIGBAgEAMB8xDjAMBgNVBAoMBWdyb3VwMQ0wCwYDVQQDDAR1c2VyMFkwEwYH',
  'KoZIzj0CAQYIKoZIzj0DAQcDQgAEd6KYE2Dy3+SrO0FYuOenmtoSfnqFpsba9qJ6',
  'EkAz3EkA2n7NlqCkFwKzfDEhUaibQoEqAtIlR6WP5TSr18Ae4aAAMAoGCCqGSM49',
  'BAMCA0kAMEYCIQC4flTkXIibGZpjSN3ZCCW5+6jFGgU+uLvMO6GSpew75QIhAN14',
  'veslMshUpilCmVlN1b+iFM82anWLBR/pPHyLrsEj',
  '-----END CERTIFICATE REQUEST-----',
  '',
].join('\n');

/** A manifest of a request to a signer for that certificate. */
export const signingRequest = (name: string, signer: string): string => `
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: ${name}}
spec:
  request: ${Buffer.from(request).toString('base64')}
  signerName: ${signer}
  usages: [client auth]
`;
