import { statusOf } from '../definitions/resource-declaration.ts';
import type { SubresourceDefinition, Verb } from '../definitions/resource-definition.ts';

const proxyVerbs: readonly Verb[] = ['create', 'delete', 'get', 'patch', 'update'];
const streamVerbs: readonly Verb[] = ['create', 'get'];

/** The subresource through which requests reach what an object stands for. */
export function proxyOf(kind: string): SubresourceDefinition {
  return { name: 'proxy', kind: `${kind}ProxyOptions`, verbs: proxyVerbs };
}

/** All subresources of pods: parts of the object, operations on it, and connections to what it runs. */
export const podSubresources: readonly SubresourceDefinition[] = [
  { name: 'attach', kind: 'PodAttachOptions', verbs: streamVerbs },
  { name: 'binding', kind: 'Binding', verbs: ['create'] },
  { name: 'ephemeralcontainers', kind: 'Pod', verbs: ['get', 'patch', 'update'] },
  { name: 'eviction', group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
  { name: 'exec', kind: 'PodExecOptions', verbs: streamVerbs },
  { name: 'log', kind: 'Pod', verbs: ['get'] },
  { name: 'portforward', kind: 'PodPortForwardOptions', verbs: streamVerbs },
  proxyOf('Pod'),
  statusOf('Pod'),
];
