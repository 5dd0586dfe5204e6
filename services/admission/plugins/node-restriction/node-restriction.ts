import { groups } from '@binnacle/api-names';
import { nodeOfUser } from '@binnacle/api-objects';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import type { Review } from '../../chain/review.ts';
import { assertOwnNode } from './assert-own-node.ts';
import { assertOwnPod, assertPodToken } from './assert-own-pod.ts';
import { assertClaimCapacity, assertOwnCsiNode, assertOwnLease } from './assert-own-records.ts';
import { type NodeReview, refusal } from './node-review.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };
const nodes = { group: '', version: 'v1', resource: 'nodes' };

/** The rules for writes of a node agent, by group and resource; for other resources its roles decide. */
const rules: ReadonlyMap<string, (review: NodeReview) => Promise<void> | void> = new Map([
  ['/pods', assertOwnPod],
  ['/nodes', assertOwnNode],
  ['/persistentvolumeclaims', assertClaimCapacity],
  ['/serviceaccounts', assertPodToken],
  [`${groups.coordination}/leases`, assertOwnLease],
  [`${groups.storage}/csinodes`, assertOwnCsiNode],
]);

/**
 * NodeRestriction, off by default: a node agent (spec 2, "Built-in admission controllers") writes its own node, the pods
 * that are bound to it, and what belongs to these.
 */
export const nodeRestriction: PluginRegistration = {
  name: 'NodeRestriction',
  byDefault: false,
  create({ objects }) {
    const readers = { pods: objects.reader(pods), nodes: objects.reader(nodes) };
    const restrict = async (review: Review): Promise<'unchanged'> => {
      const nodeName = nodeOfUser(review.user);
      if (nodeName === undefined || review.operation === 'CONNECT' || review.isReinvocation)
        return 'unchanged';
      const { group, resource } = review.definition;
      const rule = rules.get(`${group}/${resource}`);
      if (nodeName === '') throw refusal(review, 'the name of the user does not identify a node');
      await rule?.({ ...readers, review, nodeName });
      return 'unchanged';
    };
    // Runs as a mutating plugin: the object that the agent sent counts, without the additions of later plugins.
    return { name: 'NodeRestriction', mutate: restrict };
  },
};
