const name = 'initial-events-end';

/**
 * The annotations of the bookmark that closes the existing objects of a watch with `sendInitialEvents`. Existing
 * clients look for the `k8s.io` name; on the core group nothing tells them from others, so with compatibility
 * the bookmark carries both.
 */
export function initialEventsEndAnnotations(
  kubernetesClientCompatibility: boolean,
): Readonly<Record<string, string>> {
  return {
    [`cluster.io/${name}`]: 'true',
    ...(kubernetesClientCompatibility ? { [`k8s.io/${name}`]: 'true' } : {}),
  };
}
