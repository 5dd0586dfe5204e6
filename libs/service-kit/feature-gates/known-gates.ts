import type { FeatureGate } from './feature-gate.ts';

/** Every feature gate that Binnacle has, by the name under which operators know it; a gate that is not here is refused. */
export const knownGates = {
  APIListChunking: {
    stage: 'beta',
    default: true,
    description: 'lists take limit and continue',
  },
  APIPriorityAndFairness: {
    stage: 'beta',
    default: true,
    description: 'requests are limited by priority and fairness, unless --enable-priority-and-fairness=false',
  },
  APIResponseCompression: {
    stage: 'beta',
    default: true,
    description: 'large answers are compressed for clients that take gzip',
  },
  AggregatedDiscoveryEndpoint: {
    stage: 'alpha',
    default: false,
    description: 'all of discovery in one document at /api and /apis',
  },
  DryRun: { stage: 'GA', default: true, description: 'writes take dryRun' },
  OpenAPIV3: {
    stage: 'beta',
    default: true,
    description: 'the OpenAPI v3 documents at /openapi/v3',
  },
  RemainingItemCount: {
    stage: 'beta',
    default: true,
    description: 'a chunk of a list says how many items follow',
  },
  ServerSideApply: { stage: 'GA', default: true, description: 'apply patches' },
  ServerSideFieldValidation: {
    stage: 'beta',
    default: true,
    description: 'writes take fieldValidation; without it unknown fields are dropped silently',
  },
  ValidatingAdmissionPolicy: {
    stage: 'alpha',
    default: false,
    description:
      'policies of admissionregistration.cluster.io/v1alpha1, where it is served, are enforced on writes',
  },
  WatchBookmark: { stage: 'GA', default: true, description: 'watches take allowWatchBookmarks' },
} as const satisfies Readonly<Record<string, FeatureGate>>;

/** The name of a gate that Binnacle has. */
export type FeatureName = keyof typeof knownGates;
