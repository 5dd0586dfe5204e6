import type { ApiClient } from '@binnacle/client';

/** A client whose requests and watches of a collection ask for what a field selector selects alone: for one informer. */
export function withFieldSelector(
  client: Pick<ApiClient, 'request' | 'watch'>,
  selector: string,
): Pick<ApiClient, 'request' | 'watch'> {
  const selecting = (path: string): string =>
    `${path}${path.includes('?') ? '&' : '?'}fieldSelector=${encodeURIComponent(selector)}`;
  return {
    request: options => client.request({ ...options, path: selecting(options.path) }),
    watch: (path, signal, options) => client.watch(selecting(path), signal, options),
  };
}
