import { understood } from '@binnacle/api-names';
import { equalJson } from '@binnacle/api-objects';
import type { Node } from '@binnacle/api-types/core/v1';
import type { Review } from '../../chain/review.ts';
import { type NodeReview, refusal } from './node-review.ts';

/** Labels that a node agent may set on its node. */
const agentLabels = [
  'hostname',
  'arch',
  'os',
  'betaArch',
  'betaOs',
  'betaInstanceType',
  'instanceType',
  'region',
  'zone',
  'betaRegion',
  'betaZone',
] as const;
const agentNames: ReadonlySet<string> = new Set(agentLabels.flatMap(label => understood.labels[label]));
/** Domains of labels that belong to the cluster. */
const clusterDomains = [...new Set([...understood.domains.labels, ...understood.domains.groups])];
/** Domains of labels that belong to node agents. */
const agentDomains = understood.domains.labels.flatMap(domain => [`kubelet.${domain}`, `node.${domain}`]);
const restrictedDomains = understood.labels.nodeRestriction;

/** Asserts that a node agent writes only its own node, changes no taints, and sets only labels that belong to node agents. */
export function assertOwnNode({ review, nodeName }: NodeReview): void {
  const { operation, object, oldObject } = review;
  const requested = review.name || object?.metadata.name;
  if (requested !== nodeName) throw refusal(review, `node ${nodeName} may not modify other nodes`);
  if (operation === 'DELETE') throw refusal(review, `node ${nodeName} may not delete itself`);
  if (object === undefined) return;
  if (!equalJson(readConfigSource(object), readConfigSource(oldObject)))
    throw refusal(review, `node ${nodeName} may not change its configSource`);
  if (operation === 'UPDATE' && !equalJson(readTaints(object), readTaints(oldObject)))
    throw refusal(review, `node ${nodeName} may not change its taints`);
  assertLabels(review, nodeName);
}

function assertLabels(review: Review, nodeName: string): void {
  const { object, oldObject } = review;
  const { labels = {} } = object?.metadata ?? {};
  const { labels: before = {} } = oldObject?.metadata ?? {};
  const changed = [...new Set([...Object.keys(labels), ...Object.keys(before)])].filter(
    label => labels[label] !== before[label],
  );
  const refused = changed.filter(label => !mayChange(label)).sort();
  if (refused.length > 0)
    throw refusal(review, `node ${nodeName} may not change these labels: ${refused.join(', ')}`);
}

function mayChange(label: string): boolean {
  const slash = label.indexOf('/');
  const domain = slash < 0 ? '' : label.slice(0, slash);
  if (restrictedDomains.some(restricted => isWithin(domain, restricted))) return false;
  return (
    !clusterDomains.some(clusterDomain => isWithin(domain, clusterDomain)) ||
    agentNames.has(label) ||
    agentDomains.some(agentDomain => isWithin(domain, agentDomain))
  );
}

function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}

function readConfigSource(node: Node | undefined) {
  return node?.spec?.configSource ?? null;
}

/** Returns the taints, the times at which they were added included: the eviction of pods depends on these. */
function readTaints(node: Node | undefined) {
  return node?.spec?.taints ?? [];
}
