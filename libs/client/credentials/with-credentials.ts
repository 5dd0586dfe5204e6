import type { CredentialSource, Credentials } from './credential-source.ts';

/** How something is tried with credentials. */
interface CredentialUse<T> {
  readonly source: CredentialSource;
  readonly signal: AbortSignal | undefined;
  readonly attempt: (credentials: Credentials) => Promise<T>;
  /** Whether a failure of the attempt is the server's refusal of the credentials, which it gives before it does anything. */
  readonly isRefusal: (error: unknown) => boolean;
}

/** Makes an attempt with the present credentials and, where those are refused and there are others, one more with these. */
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
