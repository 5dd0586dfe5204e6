import { groups, understood } from '@binnacle/api-names';
import { type Access, type Decision, noOpinion } from '../authorizer.ts';
import { nodeRules } from '../default-policy/node-rules.ts';
import { policyRulesFrom, ruleAllows } from '../policy-rule.ts';
import type { NodeGraph } from './node-graph.ts';
import type { ReferredType } from './object-references.ts';

type ResourceAccess = Extract<Access, { kind: 'resource' }>;
type Related = Pick<NodeGraph, 'isRelated'>;
type Rule = (access: ResourceAccess, node: string, graph: Related) => Decision;

const allowed: Decision = { verdict: 'allowed', reason: '' };
const rules = policyRulesFrom(nodeRules, group => group);
const leaseNamespaces = understood.namespaces.nodeLease;
const readVerbs = ['get', 'list', 'watch'];
/** Verbs on objects that are named after their node. */
const recordVerbs = ['get', 'create', 'update', 'patch', 'delete'];

/**
 * The rules of node access by the relation of objects to a node, by group and resource. For everything else the role
 * `system:node` decides.
 */
const ruleOf: ReadonlyMap<string, Rule> = new Map([
  ['/secrets', readOne('secrets')],
  ['/configmaps', readOne('configmaps')],
  ['/persistentvolumeclaims', claimRule],
  ['/persistentvolumes', getOne('persistentvolumes')],
  [`${groups.storage}/volumeattachments`, getOne('volumeattachments')],
  ['/serviceaccounts', tokenRule],
  [`${groups.coordination}/leases`, leaseRule],
  [`${groups.storage}/csinodes`, csiNodeRule],
]);

/**
 * Whether the agent of a node may do something, as the node authorizer of kube-apiserver 1.26 decides it. It has no opinion on
 * what it does not allow. Group names are canonical.
 */
export function decideNodeAccess(access: Access, node: string, graph: Related): Decision {
  const rule = access.kind === 'resource' ? ruleOf.get(`${access.group}/${access.resource}`) : undefined;
  if (rule !== undefined && access.kind === 'resource') return rule(access, node, graph);
  return rules.some(each => ruleAllows(each, access)) ? allowed : noOpinion;
}

/** A secret or config map by name; lists and watches of one object are for agents that follow it. */
function readOne(type: ReferredType): Rule {
  return (access, node, graph) => {
    if (!readVerbs.includes(access.verb)) return notAllowed('can only read resources of this type');
    if (access.subresource !== '') return notAllowed('cannot read subresource');
    if (access.namespace === '') return notAllowed('can only read namespaced object of this type');
    return relatedOnly(type, access, { node, graph });
  };
}

function getOne(type: ReferredType): Rule {
  return (access, node, graph) => {
    if (access.verb !== 'get') return notAllowed('can only get individual resources of this type');
    if (access.subresource !== '') return notAllowed('cannot get subresource');
    return relatedOnly(type, access, { node, graph });
  };
}

/** The status of a claim, which an agent writes while it makes the file system of its volume larger, or the claim. */
function claimRule(access: ResourceAccess, node: string, graph: Related): Decision {
  const type = 'persistentvolumeclaims';
  if (access.subresource !== 'status') return getOne(type)(access, node, graph);
  if (access.verb !== 'update' && access.verb !== 'patch')
    return notAllowed('can only get/update/patch this type');
  return relatedOnly(type, access, { node, graph });
}

/** Tokens for the service accounts of pods on the node. */
function tokenRule(access: ResourceAccess, node: string, graph: Related): Decision {
  if (access.verb !== 'create' || access.name === '')
    return notAllowed('can only create tokens for individual service accounts');
  if (access.subresource !== 'token')
    return notAllowed('can only create token subresource of serviceaccount');
  return relatedOnly('serviceaccounts', access, { node, graph });
}

/** The lease of the node. NodeRestriction checks the name of a lease that is created, here and below. */
function leaseRule({ verb, namespace, name }: ResourceAccess, node: string): Decision {
  if (!recordVerbs.includes(verb))
    return notAllowed('can only get, create, update, patch, or delete a node lease');
  if (!leaseNamespaces.includes(namespace))
    return notAllowed(`can only access leases in the "${leaseNamespaces[0]}" system namespace`);
  if (verb !== 'create' && name !== node)
    return notAllowed('can only access node lease with the same name as the requesting node');
  return allowed;
}

function csiNodeRule({ verb, subresource, name }: ResourceAccess, node: string): Decision {
  if (!recordVerbs.includes(verb))
    return notAllowed('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return notAllowed('cannot authorize CSINode subresources');
  if (verb !== 'create' && name !== node)
    return notAllowed('can only access CSINode with the same name as the requesting node');
  return allowed;
}

function relatedOnly(
  type: ReferredType,
  { namespace, name }: ResourceAccess,
  { node, graph }: { readonly node: string; readonly graph: Related },
): Decision {
  if (name === '') return notAllowed('No Object name found');
  if (graph.isRelated(node, type, { namespace, name })) return allowed;
  return notAllowed(`no relationship found between node '${node}' and this object`);
}

function notAllowed(reason: string): Decision {
  return { verdict: 'noOpinion', reason };
}
