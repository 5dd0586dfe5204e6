/** The report of a direct client on an exchange when the head of its answer is there. It holds no credentials. */
export interface ExchangeNote {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Headers;
  readonly code: number;
  readonly answerHeaders: Headers;
  readonly durationMs: number;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers of requests and answers whose values are credentials, or give some away. */
const secretHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'authentication-info',
  'proxy-authentication-info',
  'cookie',
  'set-cookie',
]);

/** The headers with the values of those that hold credentials masked. */
export function withoutCredentials(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeaders.has(name.toLowerCase()) ? '<masked>' : value,
    ]),
  );
}
