import {
  type GroupVersionDeclaration,
  resource,
  scaleSubresource,
  statusSubresource,
} from '../definitions/resource-declaration.ts';
import { controllerRevisionRules } from './controller-revision.ts';
import { daemonSetRules } from './daemon-set.ts';
import { deploymentRules } from './deployment.ts';
import { replicaSetRules } from './replica-set.ts';
import { statefulSetRules } from './stateful-set.ts';

/** Workload kinds, version v1. */
export const appsV1: GroupVersionDeclaration = {
  group: 'apps',
  version: 'v1',
  protoPackage: 'apps.v1',
  resources: [
    resource({
      kind: 'ControllerRevision',
      resource: 'controllerrevisions',
      namespaced: true,
      rules: controllerRevisionRules,
    }),
    resource({
      kind: 'DaemonSet',
      resource: 'daemonsets',
      namespaced: true,
      shortNames: ['ds'],
      categories: ['all'],
      subresources: [statusSubresource('DaemonSet')],
      rules: daemonSetRules,
    }),
    resource({
      kind: 'Deployment',
      resource: 'deployments',
      namespaced: true,
      shortNames: ['deploy'],
      categories: ['all'],
      subresources: [scaleSubresource(), statusSubresource('Deployment')],
      rules: deploymentRules,
    }),
    resource({
      kind: 'ReplicaSet',
      resource: 'replicasets',
      namespaced: true,
      shortNames: ['rs'],
      categories: ['all'],
      subresources: [scaleSubresource(), statusSubresource('ReplicaSet')],
      rules: replicaSetRules,
    }),
    resource({
      kind: 'StatefulSet',
      resource: 'statefulsets',
      namespaced: true,
      shortNames: ['sts'],
      categories: ['all'],
      subresources: [scaleSubresource(), statusSubresource('StatefulSet')],
      rules: statefulSetRules,
    }),
  ],
};
