/** Credentials that are not to be had now; the message names file and entry, and holds no secret. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError';
}
