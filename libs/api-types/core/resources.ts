import { groups } from '@binnacle/api-names';
import {
  type GroupVersionDeclaration,
  resource,
  scaleSubresource,
  standardVerbs,
  statusSubresource,
} from '../definitions/resource-declaration.ts';
import type { SubresourceDefinition, Verb } from '../definitions/resource-definition.ts';
import { bindingRules } from './binding.ts';
import { componentStatusRules } from './component-status.ts';
import { configMapRules } from './config-map.ts';
import { endpointsRules } from './endpoints.ts';
import { eventRules } from './event.ts';
import { limitRangeRules } from './limit-range.ts';
import { namespaceRules } from './namespace.ts';
import { nodeRules } from './node/node.ts';
import { persistentVolumeRules } from './persistent-volume/persistent-volume.ts';
import { persistentVolumeClaimRules } from './persistent-volume/persistent-volume-claim.ts';
import { podRules } from './pod/pod.ts';
import { podTemplateRules } from './pod-template/pod-template.ts';
import { replicationControllerRules } from './replication-controller.ts';
import { resourceQuotaRules } from './resource-quota.ts';
import { secretRules } from './secret.ts';
import { serviceRules } from './service/service.ts';
import { serviceAccountRules } from './service-account.ts';

const proxyVerbs: readonly Verb[] = ['create', 'delete', 'get', 'patch', 'update'];
const streamVerbs: readonly Verb[] = ['create', 'get'];

/** Creates the proxy subresource of a kind. */
function proxySubresource(kind: string): SubresourceDefinition {
  return { name: 'proxy', kind: `${kind}ProxyOptions`, verbs: proxyVerbs };
}

/** All subresources of pods: parts of the object, operations, and connections to its containers. */
const podSubresources: readonly SubresourceDefinition[] = [
  { name: 'attach', kind: 'PodAttachOptions', verbs: streamVerbs },
  { name: 'binding', kind: 'Binding', verbs: ['create'] },
  { name: 'ephemeralcontainers', kind: 'Pod', verbs: ['get', 'patch', 'update'] },
  { name: 'eviction', group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
  { name: 'exec', kind: 'PodExecOptions', verbs: streamVerbs },
  { name: 'log', kind: 'Pod', verbs: ['get'] },
  { name: 'portforward', kind: 'PodPortForwardOptions', verbs: streamVerbs },
  proxySubresource('Pod'),
  statusSubresource('Pod'),
];

/** The core group, version v1. */
export const coreV1: GroupVersionDeclaration = {
  group: '',
  version: 'v1',
  protoPackage: 'core.v1',
  resources: [
    resource({
      kind: 'Binding',
      resource: 'bindings',
      namespaced: true,
      verbs: ['create'],
      stored: false,
      rules: bindingRules,
    }),
    resource({
      kind: 'ComponentStatus',
      resource: 'componentstatuses',
      namespaced: false,
      shortNames: ['cs'],
      verbs: ['get', 'list'],
      stored: false,
      deprecation: 'v1 ComponentStatus is deprecated in v1.19+; use /livez and /readyz of the components',
      rules: componentStatusRules,
    }),
    resource({
      kind: 'ConfigMap',
      resource: 'configmaps',
      namespaced: true,
      shortNames: ['cm'],
      rules: configMapRules,
    }),
    resource({
      kind: 'Endpoints',
      resource: 'endpoints',
      namespaced: true,
      shortNames: ['ep'],
      rules: endpointsRules,
    }),
    resource({ kind: 'Event', resource: 'events', namespaced: true, shortNames: ['ev'], rules: eventRules }),
    resource({
      kind: 'LimitRange',
      resource: 'limitranges',
      namespaced: true,
      shortNames: ['limits'],
      rules: limitRangeRules,
    }),
    resource({
      kind: 'Namespace',
      resource: 'namespaces',
      namespaced: false,
      shortNames: ['ns'],
      verbs: standardVerbs.filter(verb => verb !== 'deletecollection'),
      subresources: [
        { name: 'finalize', kind: 'Namespace', verbs: ['update'] },
        statusSubresource('Namespace'),
      ],
      rules: namespaceRules,
    }),
    resource({
      kind: 'Node',
      resource: 'nodes',
      namespaced: false,
      shortNames: ['no'],
      subresources: [proxySubresource('Node'), statusSubresource('Node')],
      rules: nodeRules,
    }),
    resource({
      kind: 'PersistentVolume',
      resource: 'persistentvolumes',
      namespaced: false,
      shortNames: ['pv'],
      subresources: [statusSubresource('PersistentVolume')],
      rules: persistentVolumeRules,
    }),
    resource({
      kind: 'PersistentVolumeClaim',
      resource: 'persistentvolumeclaims',
      namespaced: true,
      shortNames: ['pvc'],
      subresources: [statusSubresource('PersistentVolumeClaim')],
      rules: persistentVolumeClaimRules,
    }),
    resource({
      kind: 'Pod',
      resource: 'pods',
      namespaced: true,
      shortNames: ['po'],
      categories: ['all'],
      subresources: podSubresources,
      rules: podRules,
    }),
    resource({ kind: 'PodTemplate', resource: 'podtemplates', namespaced: true, rules: podTemplateRules }),
    resource({
      kind: 'ReplicationController',
      resource: 'replicationcontrollers',
      namespaced: true,
      shortNames: ['rc'],
      categories: ['all'],
      subresources: [scaleSubresource(), statusSubresource('ReplicationController')],
      rules: replicationControllerRules,
    }),
    resource({
      kind: 'ResourceQuota',
      resource: 'resourcequotas',
      namespaced: true,
      shortNames: ['quota'],
      subresources: [statusSubresource('ResourceQuota')],
      rules: resourceQuotaRules,
    }),
    resource({ kind: 'Secret', resource: 'secrets', namespaced: true, rules: secretRules }),
    resource({
      kind: 'Service',
      resource: 'services',
      namespaced: true,
      shortNames: ['svc'],
      categories: ['all'],
      subresources: [proxySubresource('Service'), statusSubresource('Service')],
      rules: serviceRules,
    }),
    resource({
      kind: 'ServiceAccount',
      resource: 'serviceaccounts',
      namespaced: true,
      shortNames: ['sa'],
      subresources: [
        {
          name: 'token',
          group: groups.authentication,
          version: 'v1',
          kind: 'TokenRequest',
          verbs: ['create'],
        },
      ],
      rules: serviceAccountRules,
    }),
  ],
};
