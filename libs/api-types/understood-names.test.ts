import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { domains, groups, secretTypes, vocabulary } from '@binnacle/api-names';
import {
  annotationTable as annotations,
  domainTable,
  extensionTable,
  finalizerTable,
  groupTable,
  labelTable as labels,
  type NameRow,
  secretTypeTable,
  signerTable,
  wordTable,
} from '@binnacle/api-names/table';
import { fieldPath } from '@binnacle/api-objects';
import { approvalCondition } from './apiextensions/api-approval.ts';
import { signerNameErrors } from './certificates/signing-request-validation.ts';
import { isOvercommitAllowed } from './core/resource-amounts/standard-resources.ts';
import { bootstrapTokenFrom, checkTypes, isBuiltInGroup, isDefaultClass, messageNamed } from './index.ts';
import { persistentVolumeClaimUsage } from './quota/claim-usage.ts';
import { usageCovered } from './quota/quota-state.ts';
import { objectCountEvaluator } from './quota/usage-evaluators.ts';
import { create, createObject, findDefinition } from './test-drivers/process.ts';

// Names come from the table, which contains both aliases in every vocabulary.

type Content = Record<string, unknown>;
/** A name with special handling, and a check whether it applies. */
type Case = readonly [what: string, row: NameRow, hasMeaning: (name: string) => boolean];

const isRefused = (plural: string, content: Content) => create(plural, content).findings.length > 0;
const annotated = (name: string, value = 'x') => ({ metadata: { annotations: { [name]: value } } });
const labelled = (name: string, value = 'x') => ({ metadata: { labels: { [name]: value } } });
const listCells = (plural: string, content: Content) =>
  findDefinition(plural).rules.cells?.(createObject(plural, content), 0) ?? [];
const hasWarnings = (plural: string, content: Content) =>
  (findDefinition(plural).rules.warnings?.(createObject(plural, content), undefined) ?? []).length > 0;

const podSpec = { containers: [{ name: 'c', image: 'i' }] };
const template = { metadata: { labels: { app: 'x' } }, spec: { ...podSpec, restartPolicy: 'Never' } };
const scaled = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 };
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const isPodRefused = (name: string, value = 'x') =>
  isRefused('pods', { ...annotated(name, value), spec: podSpec });
const findApproval = (group: string, given: Record<string, string> = {}) =>
  approvalCondition(
    createObject('customresourcedefinitions', { metadata: { annotations: given }, spec: { group } }) as never, // It is a definition.
  );

const ofAnnotations: readonly Case[] = [
  ['the mirror of a pod', annotations.configMirror, name => isPodRefused(name)],
  ['early tolerations', annotations.tolerationsAlpha, name => isPodRefused(name)],
  ['the cost of a deletion', annotations.podDeletionCost, name => isPodRefused(name)],
  ['a profile of AppArmor', annotations.appArmor, name => isPodRefused(`${name}c`)],
  ['a seccomp profile of a pod', annotations.seccompPod, name => isPodRefused(name)],
  ['a seccomp profile of a container', annotations.seccompContainer, name => isPodRefused(`${name}c`)],
  [
    'a critical pod',
    annotations.criticalPod,
    name => hasWarnings('pods', { ...annotated(name), spec: podSpec }),
  ],
  ['early taints', annotations.nodeTaintsAlpha, name => isRefused('nodes', annotated(name))],
  ['pods to avoid', annotations.preferAvoidPods, name => isRefused('nodes', annotated(name))],
  [
    'mount options',
    annotations.mountOptions,
    name => {
      const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/' } };
      return isRefused('persistentvolumes', { ...annotated(name), spec });
    },
  ],
  [
    'source ranges',
    annotations.serviceSourceRanges,
    name => isRefused('services', { ...annotated(name), spec: { ports: [{ port: 80 }] } }),
  ],
  [
    'the class of an ingress',
    annotations.ingressClass,
    name => {
      const spec = { ingressClassName: 'c', defaultBackend: { resource: { kind: 'K', name: 'n' } } };
      return isRefused('ingresses', { ...annotated(name), spec });
    },
  ],
  [
    'the early class of a claim',
    annotations.storageClassBeta,
    name =>
      listCells('persistentvolumeclaims', { ...annotated(name, 'gold'), spec: claimSpec }).includes('gold'),
  ],
  ...[annotations.defaultStorageClass, annotations.defaultStorageClassBeta].map(
    (row): Case => [
      'the default class',
      row,
      name => isDefaultClass(createObject('storageclasses', annotated(name, 'true'))),
    ],
  ),
  [
    'metrics in version v1',
    annotations.autoscalerMetrics,
    name => {
      const content = { ...annotated(name, '[]'), spec: scaled };
      const { spec } = create('autoscaling/v1/horizontalpodautoscalers', content).object as {
        spec?: Content;
      };
      return spec?.['targetCPUUtilizationPercentage'] === undefined;
    },
  ],
  [
    'the finalizers of the pods of a job',
    annotations.jobTracking,
    name => create('jobs', { spec: { template } }).object.metadata.annotations?.[name] === '',
  ],
  [
    'the account of a token',
    annotations.serviceAccountName,
    name => !isRefused('secrets', { ...annotated(name), type: secretTypes.serviceAccountToken }),
  ],
  [
    'approval',
    annotations.apiApproved,
    name => findApproval(`sea.${domains.groups}`, { [name]: 'https://example.com/1' })?.status === 'True',
  ],
];

const ofOthers: readonly Case[] = [
  [
    'the label of the name of a namespace',
    labels.metadataName,
    name => create('namespaces', labelled(name)).object.metadata.labels?.[name] === 'a',
  ],
  ['the role of a node', labels.role, name => listCells('nodes', labelled(name)).includes('x')],
  ['a role of a node', labels.nodeRole, name => listCells('nodes', labelled(`${name}x`)).includes('x')],
  ...[labels.betaOs, labels.betaArch, labels.betaZone, labels.betaRegion, labels.betaInstanceType].map(
    (row): Case => [
      'an early label of nodes',
      row,
      name => hasWarnings('pods', { spec: { ...podSpec, nodeSelector: { [name]: 'x' } } }),
    ],
  ),
  ...[
    secretTypeTable.tls,
    secretTypeTable.dockerConfig,
    secretTypeTable.basicAuth,
    secretTypeTable.sshAuth,
  ].map((row): Case => ['the type of a secret', row, type => isRefused('secrets', { type })]),
  [
    'the type of a bootstrap token',
    secretTypeTable.bootstrapToken,
    type => bootstrapTokenFrom({ type, data: {} }) !== undefined,
  ],
  [
    'the finalizer of namespaces',
    finalizerTable.namespace,
    name => !isRefused('configmaps', { metadata: { finalizers: [name] } }),
  ],
  [
    'the signer of early requests',
    signerTable.legacyUnknown,
    name => signerNameErrors(name, fieldPath('spec')).length > 0,
  ],
  [
    'a snapshot',
    groupTable.snapshot,
    apiGroup => {
      const spec = { ...claimSpec, dataSource: { apiGroup, kind: 'VolumeSnapshot', name: 's' } };
      const { object } = create('persistentvolumeclaims', { spec });
      return (object['spec'] as Content)['dataSource'] !== undefined;
    },
  ],
  ['a built-in group', groupTable.coordination, isBuiltInGroup],
  [
    'a quota of objects',
    groupTable.coordination,
    group => {
      const leases = objectCountEvaluator({ group: groups.coordination, resource: 'leases' });
      const quota = { names: [`count/leases.${group}`], scopes: [] };
      return usageCovered(quota, leases, createObject('leases', {})).size > 0;
    },
  ],
  [
    'a quota of a storage class',
    wordTable.storageClassQuota,
    word => {
      const quota = { names: [`gold${word}requests.storage`], scopes: [] };
      const claim = createObject('persistentvolumeclaims', {
        spec: { ...claimSpec, storageClassName: 'gold' },
      });
      return usageCovered(quota, persistentVolumeClaimUsage, claim).size > 0;
    },
  ],
  ['a resource of the cluster', domainTable.labels, domain => isOvercommitAllowed(`${domain}/x`)],
  ...Object.values(domainTable).flatMap((row): Case[] => [
    ['a group that needs approval', row, domain => findApproval(`sea.${domain}`) !== undefined],
    [
      'an option of a flexible volume',
      row,
      domain => {
        const volumes = [{ name: 'v', flexVolume: { driver: 'd', options: { [`${domain}/x`]: '1' } } }];
        return isRefused('pods', { spec: { ...podSpec, volumes } });
      },
    ],
  ]),
  ...Object.values(extensionTable).map(
    (row): Case => [
      'an extension of schemas',
      row,
      name => {
        const schema = messageNamed('apiextensions.v1.JSONSchemaProps');
        return checkTypes(schema, { [name]: null }).unknownFields.length === 0;
      },
    ],
  ),
];

suite('names of the other vocabulary', () => {
  for (const [what, row, hasMeaning] of [...ofAnnotations, ...ofOthers])
    for (const name of new Set(row)) {
      const isUnderstood = vocabulary === 'cluster' || name === row[1];
      test(`${what}: ${name} ${isUnderstood ? 'is understood' : 'is unknown'}`, () =>
        assert.equal(hasMeaning(name), isUnderstood));
    }
});
