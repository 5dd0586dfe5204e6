/** The error of a credential source without credentials; the message names the file and the entry, and holds no secret. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError';
}
