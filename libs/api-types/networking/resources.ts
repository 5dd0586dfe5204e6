import { groups } from '@binnacle/api-names';
import {
  type GroupVersionDeclaration,
  resource,
  statusSubresource,
} from '../definitions/resource-declaration.ts';
import { clusterCidrRules } from './cluster-cidr.ts';
import { ingressRules } from './ingress.ts';
import { ingressClassRules } from './ingress-class.ts';
import { networkPolicyRules } from './network-policy.ts';

/** Ingresses and network policies, version v1. */
export const networkingV1: GroupVersionDeclaration = {
  group: groups.networking,
  version: 'v1',
  protoPackage: 'networking.v1',
  resources: [
    resource({
      kind: 'IngressClass',
      resource: 'ingressclasses',
      namespaced: false,
      rules: ingressClassRules,
    }),
    resource({
      kind: 'Ingress',
      resource: 'ingresses',
      namespaced: true,
      shortNames: ['ing'],
      subresources: [statusSubresource('Ingress')],
      rules: ingressRules,
    }),
    resource({
      kind: 'NetworkPolicy',
      resource: 'networkpolicies',
      namespaced: true,
      shortNames: ['netpol'],
      subresources: [statusSubresource('NetworkPolicy')],
      rules: networkPolicyRules,
    }),
  ],
};

/** ClusterCIDRs, version v1alpha1, disabled by default. */
export const networkingV1alpha1: GroupVersionDeclaration = {
  group: groups.networking,
  version: 'v1alpha1',
  protoPackage: 'networking.v1alpha1',
  resources: [
    resource({
      kind: 'ClusterCIDR',
      resource: 'clustercidrs',
      namespaced: false,
      shortNames: ['cc'],
      rules: clusterCidrRules,
    }),
  ],
};
