import type { ApiClient } from '@binnacle/client';

/** The account whose rights the collector works with; its role is a default one. */
const collector = 'system:serviceaccount:cluster-system:generic-garbage-collector';

/**
 * A client that acts as the collector's own account, so that a mistake of the collector can do no more than its role allows.
 * Lives as long as the client that it is made of.
 */
export function asCollector(client: ApiClient): Pick<ApiClient, 'request' | 'watch'> {
  return {
    request: options => client.request({ ...options, asUser: collector }),
    watch: (path, signal, options) => client.watch(path, signal, { ...options, asUser: collector }),
  };
}
