import {
  annotations,
  components,
  groups,
  namespaces,
  objects,
  serviceUsers,
  understood,
} from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import { mandatoryFlowSchemas, mandatoryPriorityLevels } from '@binnacle/api-types';
import { flowControlGroup, flowControlVersion } from '../flow-control/objects/follow-flow-config.ts';
import type { BootstrapObject } from './ensure-objects.ts';

const everyVerb = ['*'];

/** Requests for everything, resources and paths. */
const everything: JsonObject = {
  resourceRules: [resourceRule(everyVerb, ['*'], { named: ['*'], clusterScope: true })],
  nonResourceRules: [{ verbs: everyVerb, nonResourceURLs: ['*'] }],
};
const leaseRule = resourceRule(['get', 'create', 'update'], [groups.coordination], {
  named: ['leases'],
});
const everybody = groupsNamed('system:unauthenticated', 'system:authenticated');
const everySystemAccount = systemAccounts('*');
const controllerManagers = users(...understood.users.controllerManager);
const schedulers = users(...understood.users.scheduler);
/** The controllers of this project. */
const ownControllers = users(serviceUsers.controllerManager);

/** The priority levels that kube-apiserver 1.26 suggests: shares, percent to lend, queues, hand size. */
const suggestedLevels: readonly (readonly [string, number, number, number, number])[] = [
  ['system', 30, 33, 64, 6],
  ['node-high', 40, 25, 64, 6],
  ['leader-election', 10, 0, 16, 4],
  ['workload-high', 40, 50, 128, 6],
  ['workload-low', 100, 90, 128, 6],
  ['global-default', 20, 50, 128, 6],
];
const queueLengthLimit = 50;
const ownFlow = 'binnacle-controller-manager';

interface SuggestedSchema {
  readonly name: string;
  readonly level: string;
  readonly precedence: number;
  readonly method?: 'ByUser' | 'ByNamespace';
  readonly rule: JsonObject;
}

/** The flow schemas that kube-apiserver 1.26 suggests, for the users of this server. */
const suggestedSchemas: readonly SuggestedSchema[] = [
  {
    name: 'probes',
    level: 'exempt',
    precedence: 2,
    rule: {
      subjects: everybody,
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
    },
  },
  {
    name: 'system-leader-election',
    level: 'leader-election',
    precedence: 100,
    method: 'ByUser',
    rule: {
      subjects: [...controllerManagers, ...schedulers, ...everySystemAccount],
      resourceRules: [leaseRule],
    },
  },
  {
    name: 'endpoint-controller',
    level: 'workload-high',
    precedence: 150,
    method: 'ByUser',
    rule: {
      subjects: [
        ...controllerManagers,
        ...systemAccounts('endpoint-controller', 'endpointslicemirroring-controller'),
      ],
      resourceRules: [resourceRule(['get', 'create', 'update'], [''], { named: ['endpoints'] })],
    },
  },
  {
    name: 'workload-leader-election',
    level: 'leader-election',
    precedence: 200,
    method: 'ByUser',
    rule: {
      subjects: everySystemAccount,
      resourceRules: [
        resourceRule(['get', 'create', 'update'], [''], { named: ['endpoints', 'configmaps'] }),
        leaseRule,
      ],
    },
  },
  {
    name: 'system-node-high',
    level: 'node-high',
    precedence: 400,
    method: 'ByUser',
    rule: {
      subjects: groupsNamed('system:nodes'),
      resourceRules: [
        resourceRule(everyVerb, [''], { named: ['nodes', 'nodes/status'], clusterScope: true }),
        resourceRule(everyVerb, [groups.coordination], { named: ['leases'] }),
      ],
    },
  },
  {
    name: 'system-nodes',
    level: 'system',
    precedence: 500,
    method: 'ByUser',
    rule: { subjects: groupsNamed('system:nodes'), ...everything },
  },
  {
    name: components.controllerManager,
    level: 'workload-high',
    precedence: 800,
    method: 'ByNamespace',
    rule: { subjects: controllerManagers, ...everything },
  },
  {
    name: components.scheduler,
    level: 'workload-high',
    precedence: 800,
    method: 'ByNamespace',
    rule: { subjects: schedulers, ...everything },
  },
  {
    name: objects.systemAccountsFlow,
    level: 'workload-high',
    precedence: 900,
    method: 'ByNamespace',
    rule: { subjects: everySystemAccount, ...everything },
  },
  {
    name: 'service-accounts',
    level: 'workload-low',
    precedence: 9000,
    method: 'ByUser',
    rule: { subjects: groupsNamed('system:serviceaccounts'), ...everything },
  },
  {
    name: 'global-default',
    level: 'global-default',
    precedence: 9900,
    method: 'ByUser',
    rule: { subjects: everybody, ...everything },
  },
];

/** The schemas that give this project's controllers the priority that Kubernetes' own have. */
const ownSchemas: readonly SuggestedSchema[] = [
  {
    name: `${ownFlow}-leader-election`,
    level: 'leader-election',
    precedence: 100,
    method: 'ByUser',
    rule: { subjects: ownControllers, resourceRules: [leaseRule] },
  },
  {
    name: ownFlow,
    level: 'workload-high',
    precedence: 800,
    method: 'ByNamespace',
    rule: { subjects: ownControllers, ...everything },
  },
];

/** The objects of flow control that every server keeps: mandatory ones as they must be, suggested ones unless they are taken over. */
export function flowControlObjects(): BootstrapObject[] {
  const level = (name: string, spec: JsonObject, kept: BootstrapObject['keptSpec']) =>
    defaultObject('prioritylevelconfigurations', name, { spec, kept });
  const schema = (name: string, spec: JsonObject, kept: BootstrapObject['keptSpec']) =>
    defaultObject('flowschemas', name, { spec, kept });
  return [
    ...Object.entries(mandatoryPriorityLevels).map(([name, spec]) => level(name, spec, 'always')),
    ...suggestedLevels.map(([name, ...figures]) => level(name, suggestedLevelSpec(figures), 'unlessOwned')),
    ...Object.entries(mandatoryFlowSchemas).map(([name, spec]) => schema(name, spec, 'always')),
    ...[...suggestedSchemas, ...ownSchemas].map(suggested =>
      schema(suggested.name, suggestedSchemaSpec(suggested), 'unlessOwned'),
    ),
  ];
}

function defaultObject(
  resource: string,
  name: string,
  { spec, kept }: { spec: JsonObject; kept: BootstrapObject['keptSpec'] },
): BootstrapObject {
  return {
    group: flowControlGroup,
    version: flowControlVersion,
    resource,
    name,
    content: { metadata: { annotations: { [annotations.apfAutoupdate]: 'true' } }, spec },
    comesBack: true,
    reconciled: undefined,
    keptSpec: kept,
  };
}

function suggestedLevelSpec([shares, lendable, queues, handSize]: readonly [
  number,
  number,
  number,
  number,
]): JsonObject {
  return {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: shares,
      lendablePercent: lendable,
      limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit } },
    },
  };
}

function suggestedSchemaSpec({ level, precedence, method, rule }: SuggestedSchema): JsonObject {
  return {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: precedence,
    ...(method && { distinguisherMethod: { type: method } }),
    rules: [rule],
  };
}

function resourceRule(
  verbs: string[],
  apiGroups: string[],
  resources: { readonly named: string[]; readonly clusterScope?: boolean },
): JsonObject {
  const { named, clusterScope } = resources;
  return { verbs, apiGroups, resources: named, namespaces: ['*'], ...(clusterScope && { clusterScope }) };
}

function groupsNamed(...names: string[]): JsonObject[] {
  return names.map(name => ({ kind: 'Group', group: { name } }));
}

function users(...names: string[]): JsonObject[] {
  return names.map(name => ({ kind: 'User', user: { name } }));
}

function systemAccounts(...names: string[]): JsonObject[] {
  return names.map(name => ({
    kind: 'ServiceAccount',
    serviceAccount: { name, namespace: namespaces.system },
  }));
}
