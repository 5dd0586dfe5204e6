import { type GroupVersionDeclaration, resource, statusOf } from '../resource-declaration.ts';
import { flowSchemaRules } from './flow-schema.ts';
import { priorityLevelConfigurationRules } from './priority-level-configuration.ts';

/** How requests share the server, version v1beta3. */
export const flowcontrolV1beta3: GroupVersionDeclaration = {
  group: 'flowcontrol.apiserver.cluster.io',
  version: 'v1beta3',
  protoPackage: 'cluster.io.api.flowcontrol.v1beta3',
  resources: [
    resource({
      kind: 'FlowSchema',
      resource: 'flowschemas',
      namespaced: false,
      subresources: [statusOf('FlowSchema')],
      rules: flowSchemaRules,
    }),
    resource({
      kind: 'PriorityLevelConfiguration',
      resource: 'prioritylevelconfigurations',
      namespaced: false,
      subresources: [statusOf('PriorityLevelConfiguration')],
      rules: priorityLevelConfigurationRules,
    }),
  ],
};
