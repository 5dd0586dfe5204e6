import type { ApiClient, ApiRequestOptions } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';

/** A client that notes each request, and gives the answer of its method and path: a body, or the error to throw. */
export function recordedRequests(answers: Readonly<Record<string, object>> = {}): {
  readonly client: Pick<ApiClient, 'request'>;
  readonly requests: ApiRequestOptions[];
} {
  const requests: ApiRequestOptions[] = [];
  const client: Pick<ApiClient, 'request'> = {
    async request<T>(options: ApiRequestOptions): Promise<T> {
      requests.push(options);
      const answer = answers[`${options.method} ${options.path}`] ?? {};
      if (answer instanceof StatusError) throw answer;
      return answer as T; // The test that asks knows what it put there.
    },
  };
  return { client, requests };
}
