import type { CredentialSource, Credentials } from './credential-source.ts';

/** Options of an attempt with credentials. */
interface CredentialUse<T> {
  readonly source: CredentialSource;
  readonly signal: AbortSignal | undefined;
  readonly attempt: (credentials: Credentials) => Promise<T>;
  /** Whether an error is the server's refusal of the credentials, before it processed anything. */
  readonly isRefusal: (error: unknown) => boolean;
}

/**
 * Makes an attempt with the current credentials; if the server refuses them and the source has others, makes one more
 * attempt with these.
 */
export async function withCredentials<T>(use: CredentialUse<T>): Promise<T> {
  const { source, signal, attempt, isRefusal } = use;
  const credentials = await source.current(signal);
  try {
    return await attempt(credentials);
  } catch (error) {
    if (!isRefusal(error) || !(await source.renew(credentials, signal))) throw error;
  }
  return await attempt(await source.current(signal));
}
