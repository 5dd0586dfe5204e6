import type { ObjectValue } from './exact-json.ts';

const podSpec: ObjectValue = { containers: [{ name: 'a', image: 'a' }] };
const workload = (kind: ObjectValue): ObjectValue => ({
  spec: {
    ...kind,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: podSpec },
  },
});
const webhook: ObjectValue = {
  name: 'a.example.com',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  clientConfig: { url: 'https://webhook.example.com/a' },
};
const rule: ObjectValue = { apiGroups: ['a'], resources: ['a'], verbs: ['get'] };
const subject: ObjectValue = { kind: 'User', name: 'a' };
const crossVersion: ObjectValue = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' };

/** A certificate signing request of a key on an elliptic curve. */
const signingRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIYk1JR0JBZ0VBTUI4eERqQU1CZ05WQkFvTUJXZHliM1Z3TVEwd0N3WURWUVFEREFSMWMyVnlNRmt3RXdZSApLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFZDZLWUUyRHkzK1NyTzBGWXVPZW5tdG9TZm5xRnBzYmE5cUo2CkVrQXozRWtBMm43TmxxQ2tGd0t6ZkRFaFVhaWJRb0VxQXRJbFI2V1A1VFNyMThBZTRhQUFNQW9HQ0NxR1NNNDkKQkFNQ0Ewa0FNRVlDSVFDNGZsVGtYSWliR1pwalNOM1pDQ1c1KzZqRkdnVSt1THZNTzZHU3Bldzc1UUloQU4xNAp2ZXNsTXNoVXBpbENtVmxOMWIraUZNODJhbldMQlIvcFBIeUxyc0VqCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

/** The least that a kind of object needs to be accepted, by `apiVersion/Kind`, without metadata. */
const baseObjects: Readonly<Record<string, ObjectValue>> = {
  'v1/ConfigMap': {},
  'v1/Endpoints': {},
  'v1/Event': { involvedObject: { namespace: 'round-trips' } },
  'v1/LimitRange': { spec: { limits: [{ type: 'Pod' }] } },
  'v1/Namespace': {},
  'v1/Node': {},
  'v1/PersistentVolumeClaim': {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  'v1/PersistentVolume': {
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } },
  },
  'v1/Pod': { spec: podSpec },
  'v1/PodTemplate': { template: { metadata: { labels: { app: 'a' } }, spec: podSpec } },
  'v1/ReplicationController': {
    spec: { selector: { app: 'a' }, template: { metadata: { labels: { app: 'a' } }, spec: podSpec } },
  },
  'v1/ResourceQuota': { spec: { hard: { pods: '1k' } } },
  'v1/Secret': {},
  'v1/ServiceAccount': {},
  'v1/Service': { spec: { ports: [{ port: 80 }] } },
  'apps/v1/ControllerRevision': { revision: 1, data: { a: 1 } },
  'apps/v1/DaemonSet': workload({}),
  'apps/v1/Deployment': workload({}),
  'apps/v1/ReplicaSet': workload({}),
  'apps/v1/StatefulSet': workload({ serviceName: 'a' }),
  'events.cluster.io/v1/Event': {
    eventTime: '2024-02-29T12:00:00.000001Z',
    reportingController: 'example.com/a',
    reportingInstance: 'a',
    action: 'a',
    reason: 'a',
    type: 'Normal',
    regarding: { namespace: 'round-trips' },
  },
  'autoscaling/v2/HorizontalPodAutoscaler': { spec: { maxReplicas: 1, scaleTargetRef: crossVersion } },
  'autoscaling/v1/HorizontalPodAutoscaler': { spec: { maxReplicas: 1, scaleTargetRef: crossVersion } },
  'batch/v1/CronJob': {
    spec: {
      schedule: '0 * * * *',
      jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
    },
  },
  'batch/v1/Job': { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
  'certificates.cluster.io/v1/CertificateSigningRequest': {
    spec: { request: signingRequest, signerName: 'example.com/a', usages: ['digital signature'] },
  },
  'networking.cluster.io/v1/IngressClass': { spec: { controller: 'example.com/a' } },
  'networking.cluster.io/v1/Ingress': {
    spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } },
  },
  'networking.cluster.io/v1/NetworkPolicy': { spec: { podSelector: {} } },
  'networking.cluster.io/v1alpha1/ClusterCIDR': { spec: { ipv4: '10.0.0.0/8', perNodeHostBits: 8 } },
  'policy/v1/PodDisruptionBudget': {},
  'rbac.authorization.cluster.io/v1/ClusterRoleBinding': {
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'a' },
    subjects: [subject],
  },
  'rbac.authorization.cluster.io/v1/ClusterRole': { rules: [rule] },
  'rbac.authorization.cluster.io/v1/RoleBinding': {
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name: 'a' },
    subjects: [subject],
  },
  'rbac.authorization.cluster.io/v1/Role': { rules: [rule] },
  'storage.cluster.io/v1/CSIDriver': {},
  'storage.cluster.io/v1/CSINode': { spec: { drivers: [{ name: 'example.com', nodeID: 'a' }] } },
  'storage.cluster.io/v1/CSIStorageCapacity': { storageClassName: 'a' },
  'storage.cluster.io/v1beta1/CSIStorageCapacity': { storageClassName: 'a' },
  'storage.cluster.io/v1/StorageClass': { provisioner: 'example.com/a' },
  'storage.cluster.io/v1/VolumeAttachment': {
    spec: { attacher: 'a', nodeName: 'a', source: { persistentVolumeName: 'a' } },
  },
  'admissionregistration.cluster.io/v1/MutatingWebhookConfiguration': { webhooks: [webhook] },
  'admissionregistration.cluster.io/v1/ValidatingWebhookConfiguration': { webhooks: [webhook] },
  'admissionregistration.cluster.io/v1alpha1/ValidatingAdmissionPolicy': {
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: ['a'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['a'] }],
      },
      validations: [{ expression: 'true' }],
    },
  },
  'admissionregistration.cluster.io/v1alpha1/ValidatingAdmissionPolicyBinding': { spec: { policyName: 'a' } },
  'scheduling.cluster.io/v1/PriorityClass': { value: 1 },
  'coordination.cluster.io/v1/Lease': {},
  'node.cluster.io/v1/RuntimeClass': { handler: 'a' },
  'discovery.cluster.io/v1/EndpointSlice': {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'] }],
    ports: [],
  },
  'flowcontrol.apiserver.cluster.io/v1beta3/FlowSchema': {
    spec: { priorityLevelConfiguration: { name: 'a' }, matchingPrecedence: 9000 },
  },
  'flowcontrol.apiserver.cluster.io/v1beta2/FlowSchema': {
    spec: { priorityLevelConfiguration: { name: 'a' }, matchingPrecedence: 9000 },
  },
  'flowcontrol.apiserver.cluster.io/v1beta3/PriorityLevelConfiguration': {
    spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
  },
  'flowcontrol.apiserver.cluster.io/v1beta2/PriorityLevelConfiguration': {
    spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
  },
};

/** The least that an object of a kind needs to be accepted, with its name; `name` is one that no other object has. */
export function baseObject(apiVersion: string, kind: string, name: string): ObjectValue {
  const key = `${apiVersion}/${kind}`;
  const labels = { base: 'yes' };
  const group = `${name}.example.com`;
  if (key === 'apiextensions.cluster.io/v1/CustomResourceDefinition')
    return {
      metadata: { name: `things.${group}`, labels },
      spec: {
        group,
        names: { plural: 'things', kind: 'Thing' },
        scope: 'Namespaced',
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    };
  if (key === 'apiregistration.cluster.io/v1/APIService')
    return {
      metadata: { name: `v1.${group}`, labels },
      spec: { group, version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
    };
  const object = baseObjects[key];
  if (object === undefined) throw new Error(`there is no base object of ${key}`);
  return { metadata: { name, labels }, ...object };
}
