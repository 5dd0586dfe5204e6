import { podTemplate } from './pod-template.ts';

const template = (spec: object, metadata: object) => ({
  ...podTemplate({ ...spec }),
  metadata: { ...podTemplate().metadata, ...metadata },
});
const forJob = (spec: object, metadata: object) => template({ restartPolicy: 'Never', ...spec }, metadata);
const selector = { matchLabels: podTemplate().metadata.labels };

/**
 * The kinds that contain pods: the resource, the path of the pod, and a function that creates an object with a pod's spec and
 * metadata.
 */
export const podHolders: readonly (readonly [
  plural: string,
  at: string,
  holder: (spec: object, metadata?: object) => Record<string, unknown>,
])[] = [
  ['pods', '', (spec, metadata) => ({ metadata, spec: podTemplate({ ...spec }).spec })],
  ['podtemplates', 'template.', (spec, metadata = {}) => ({ template: template(spec, metadata) })],
  [
    'replicationcontrollers',
    'spec.template.',
    (spec, metadata = {}) => ({ spec: { template: template(spec, metadata) } }),
  ],
  ...['deployments', 'daemonsets', 'replicasets', 'statefulsets'].map(
    plural =>
      [
        plural,
        'spec.template.',
        (spec: object, metadata: object = {}) => ({
          spec: { selector, template: template(spec, metadata) },
        }),
      ] as const,
  ),
  ['jobs', 'spec.template.', (spec, metadata = {}) => ({ spec: { template: forJob(spec, metadata) } })],
  [
    'cronjobs',
    'spec.jobTemplate.spec.template.',
    (spec, metadata = {}) => ({
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template: forJob(spec, metadata) } } },
    }),
  ],
];
