import {
  type GroupVersionDeclaration,
  resource,
  statusSubresource,
} from '../definitions/resource-declaration.ts';
import { podDisruptionBudgetRules } from './pod-disruption-budget.ts';

/** PodDisruptionBudgets, version v1. */
export const policyV1: GroupVersionDeclaration = {
  group: 'policy',
  version: 'v1',
  protoPackage: 'policy.v1',
  resources: [
    resource({
      kind: 'PodDisruptionBudget',
      resource: 'poddisruptionbudgets',
      namespaced: true,
      shortNames: ['pdb'],
      subresources: [statusSubresource('PodDisruptionBudget')],
      rules: podDisruptionBudgetRules,
    }),
  ],
};
