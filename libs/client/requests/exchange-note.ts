/** The report of a direct client on an exchange, when the head of the answer has arrived. It holds no credentials. */
export interface ExchangeNote {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Headers;
  readonly code: number;
  readonly answerHeaders: Headers;
  readonly durationMs: number;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers whose values are or reveal credentials. */
const secretHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'authentication-info',
  'proxy-authentication-info',
  'cookie',
  'set-cookie',
]);

/** Returns the headers, with the values of `secretHeaders` masked. */
export function withoutCredentials(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeaders.has(name.toLowerCase()) ? '<masked>' : value,
    ]),
  );
}
