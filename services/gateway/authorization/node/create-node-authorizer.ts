import { groups } from '@binnacle/api-names';
import { nodeOfUser } from '@binnacle/api-objects';
import { canonicalGroup, type TypeRegistry } from '@binnacle/api-types';
import type { VolumeAttachment } from '@binnacle/api-types/storage/v1';
import { serviceUnavailable } from '@binnacle/status-errors';
import type { WatchCache } from '@binnacle/watch-cache';
import { type Authorizer, completeRules, noOpinion } from '../authorizer.ts';
import { type Following, followObjects, type ObjectFollower } from '../follow-objects.ts';
import type { FollowingAuthorizer } from '../following-authorizer.ts';
import { decideNodeAccess } from './decide-node-access.ts';
import { NodeGraph } from './node-graph.ts';
import { podReferences, volumeReferences } from './object-references.ts';

/** Options of the node authorizer. */
interface NodeAuthorizerOptions {
  readonly registry: Pick<TypeRegistry, 'resource'>;
  readonly watchCache: Pick<WatchCache, 'find'>;
}

/** A type that the graph is made of; types that are not served have no objects to follow. */
interface FollowedType {
  readonly group: string;
  readonly resource: string;
  readonly follower: ObjectFollower;
}

/**
 * Creates the authorizer of node agents (`--authorization-mode=Node`): an agent reads what the pods of its node refer to, and
 * does what the role `system:node` says with everything else. On other users it has no opinion.
 */
export function createNodeAuthorizer({ registry, watchCache }: NodeAuthorizerOptions): FollowingAuthorizer {
  const graph = new NodeGraph();
  const followings: Following[] = [];
  let started = false;
  const authorize: Authorizer['authorize'] = (user, access) => {
    const node = nodeOfUser(user);
    if (node === undefined) return noOpinion;
    if (node === '')
      return { verdict: 'noOpinion', reason: `unknown node for user ${JSON.stringify(user.username)}` };
    if (!started) throw serviceUnavailable('the references of pods are not loaded yet, try again');
    return decideNodeAccess(
      access.kind === 'resource' ? { ...access, group: canonicalGroup(access.group) } : access,
      node,
      graph,
    );
  };
  return {
    get isStarted() {
      return started;
    },
    async start() {
      for (const { group, resource, follower } of followedTypes(graph)) {
        const definition = registry.resource(group, 'v1', resource);
        const cache = definition && watchCache.find(definition);
        if (cache !== undefined) followings.push(followObjects(cache, follower));
      }
      await Promise.all(followings.map(({ loaded }) => loaded));
      started = true;
    },
    authorize,
    rulesFor: user =>
      nodeOfUser(user) === undefined
        ? completeRules([])
        : {
            rules: [],
            incomplete: true,
            evaluationError: 'node authorizer does not support user rule resolution',
          },
    boundRules: () => [],
    [Symbol.dispose]() {
      for (const following of followings.splice(0)) following[Symbol.dispose]();
    },
  };
}

function followedTypes(graph: NodeGraph): FollowedType[] {
  return [
    {
      group: '',
      resource: 'pods',
      follower: {
        put: (pod, namespace, name) => graph.putPod(namespace, name, podReferences(pod)),
        remove: (namespace, name) => graph.removePod(namespace, name),
      },
    },
    {
      group: '',
      resource: 'persistentvolumes',
      follower: {
        put: (volume, _, name) => graph.putVolume(name, volumeReferences(volume)),
        remove: (_, name) => graph.removeVolume(name),
      },
    },
    {
      group: groups.storage,
      resource: 'volumeattachments',
      follower: {
        put: (attachment, _, name) => graph.putAttachment(name, nodeOfAttachment(attachment)),
        remove: (_, name) => graph.removeAttachment(name),
      },
    },
  ];
}

function nodeOfAttachment({ spec }: VolumeAttachment): string {
  return spec?.nodeName ?? '';
}
