import { type GroupVersionDeclaration, resource, standardVerbs, statusOf } from '../resource-declaration.ts';
import { configMapRules } from './config-map.ts';
import { endpointsRules } from './endpoints.ts';
import { eventRules } from './event.ts';
import { namespaceRules } from './namespace.ts';
import { podRules } from './pod.ts';
import { secretRules } from './secret.ts';
import { serviceRules } from './service.ts';
import { serviceAccountRules } from './service-account.ts';

/** The core group, version v1. */
export const coreV1: GroupVersionDeclaration = {
  group: '',
  version: 'v1',
  protoPackage: 'cluster.io.api.core.v1',
  resources: [
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
      kind: 'Namespace',
      resource: 'namespaces',
      namespaced: false,
      shortNames: ['ns'],
      verbs: standardVerbs.filter(verb => verb !== 'deletecollection'),
      subresources: [{ name: 'finalize', kind: 'Namespace', verbs: ['update'] }, statusOf('Namespace')],
      rules: namespaceRules,
    }),
    resource({
      kind: 'Pod',
      resource: 'pods',
      namespaced: true,
      shortNames: ['po'],
      categories: ['all'],
      subresources: [statusOf('Pod')],
      rules: podRules,
    }),
    resource({ kind: 'Secret', resource: 'secrets', namespaced: true, rules: secretRules }),
    resource({
      kind: 'Service',
      resource: 'services',
      namespaced: true,
      shortNames: ['svc'],
      categories: ['all'],
      subresources: [statusOf('Service')],
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
          group: 'authentication.cluster.io',
          version: 'v1',
          kind: 'TokenRequest',
          verbs: ['create'],
        },
      ],
      rules: serviceAccountRules,
    }),
  ],
};
