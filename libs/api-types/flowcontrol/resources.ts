import { groups } from '@binnacle/api-names';
import type { KindRules } from '../definitions/kind-rules.ts';
import {
  type GroupVersionDeclaration,
  type ResourceDeclaration,
  resource,
  statusSubresource,
} from '../definitions/resource-declaration.ts';
import { flowSchemaBeta2Rules, priorityLevelConfigurationBeta2Rules } from './beta2.ts';
import { flowSchemaRules } from './flow-schema.ts';
import { priorityLevelConfigurationRules } from './priority-level-configuration.ts';

const group = groups.flowcontrol;

/** API priority and fairness, version v1beta3, the stored version. */
export const flowcontrolV1beta3: GroupVersionDeclaration = {
  group,
  version: 'v1beta3',
  protoPackage: 'flowcontrol.v1beta3',
  resources: [flowSchemas(flowSchemaRules), priorityLevelConfigurations(priorityLevelConfigurationRules)],
};

/** API priority and fairness, version v1beta2, which is deprecated. */
export const flowcontrolV1beta2: GroupVersionDeclaration = {
  group,
  version: 'v1beta2',
  protoPackage: 'flowcontrol.v1beta2',
  resources: [
    { ...flowSchemas(flowSchemaBeta2Rules), ...deprecated('FlowSchema') },
    {
      ...priorityLevelConfigurations(priorityLevelConfigurationBeta2Rules),
      ...deprecated('PriorityLevelConfiguration'),
    },
  ],
};

function flowSchemas(rules: KindRules): ResourceDeclaration {
  return resource({
    kind: 'FlowSchema',
    resource: 'flowschemas',
    namespaced: false,
    subresources: [statusSubresource('FlowSchema')],
    storageVersion: 'v1beta3',
    hashedVersion: 'v1beta2',
    rules,
  });
}

function priorityLevelConfigurations(rules: KindRules): ResourceDeclaration {
  return resource({
    kind: 'PriorityLevelConfiguration',
    resource: 'prioritylevelconfigurations',
    namespaced: false,
    subresources: [statusSubresource('PriorityLevelConfiguration')],
    storageVersion: 'v1beta3',
    hashedVersion: 'v1beta2',
    rules,
  });
}

function deprecated(kind: string): Pick<ResourceDeclaration, 'deprecation' | 'removedRelease'> {
  const deprecation = `${group}/v1beta2 ${kind} is deprecated in v1.26+, unavailable in v1.29+; use ${group}/v1beta3 ${kind}`;
  return { deprecation, removedRelease: '1.29' };
}
