/** Credentials cannot be obtained now; the message names file and entry, and holds no secret. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError';
}
