import type { KindRules } from '../definitions/kind-rules.ts';
import {
  type GroupVersionDeclaration,
  type ResourceDeclaration,
  resource,
  statusSubresource,
} from '../definitions/resource-declaration.ts';
import { horizontalPodAutoscalerRules } from './horizontal-pod-autoscaler.ts';
import { horizontalPodAutoscalerV1Rules } from './horizontal-pod-autoscaler-v1.ts';

/** HorizontalPodAutoscaler, version v2, the stored version. */
export const autoscalingV2: GroupVersionDeclaration = {
  group: 'autoscaling',
  version: 'v2',
  protoPackage: 'autoscaling.v2',
  resources: [horizontalPodAutoscalers(horizontalPodAutoscalerRules)],
};

/** HorizontalPodAutoscaler, version v1, whose only metric is CPU utilization. */
export const autoscalingV1: GroupVersionDeclaration = {
  group: 'autoscaling',
  version: 'v1',
  protoPackage: 'autoscaling.v1',
  resources: [horizontalPodAutoscalers(horizontalPodAutoscalerV1Rules)],
};

function horizontalPodAutoscalers(rules: KindRules): ResourceDeclaration {
  return resource({
    kind: 'HorizontalPodAutoscaler',
    resource: 'horizontalpodautoscalers',
    namespaced: true,
    shortNames: ['hpa'],
    categories: ['all'],
    subresources: [statusSubresource('HorizontalPodAutoscaler')],
    storageVersion: 'v2',
    hashedVersion: 'v1',
    rules,
  });
}
