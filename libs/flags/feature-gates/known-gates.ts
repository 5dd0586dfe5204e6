import { groups } from '@binnacle/api-names';
import { apiGates } from '@binnacle/api-objects';
import type { FeatureGate } from './feature-gate.ts';
import { gatesWithoutEffect } from './gates-without-effect.ts';

/** The gates of server features; those of API objects are in `apiGates`. */
const serverGates = {
  APIListChunking: {
    stage: 'beta',
    default: true,
    description: 'lists support limit and continue',
  },
  APIPriorityAndFairness: {
    stage: 'beta',
    default: true,
    description: 'requests are limited by priority and fairness, unless --enable-priority-and-fairness=false',
  },
  APIResponseCompression: {
    stage: 'beta',
    default: true,
    description: 'large answers are compressed for clients that accept gzip',
  },
  APIServerIdentity: {
    stage: 'beta',
    default: true,
    description: 'each gateway renews a Lease in the namespace of the system',
  },
  AggregatedDiscoveryEndpoint: {
    stage: 'alpha',
    default: false,
    description: 'all of discovery in one document at /api and /apis',
  },
  DryRun: { stage: 'GA', default: true, description: 'writes support dryRun' },
  KMSv2: {
    stage: 'alpha',
    default: false,
    description: 'encryption at rest has the provider kms with apiVersion v2',
  },
  OpenAPIEnums: {
    stage: 'beta',
    default: true,
    description: 'the OpenAPI documents enumerate the values of fields of built-in kinds',
  },
  OpenAPIV3: {
    stage: 'beta',
    default: true,
    description: 'the OpenAPI v3 documents at /openapi/v3',
  },
  RemainingItemCount: {
    stage: 'beta',
    default: true,
    description: 'a chunk of a list has the number of remaining items',
  },
  ServerSideApply: { stage: 'GA', default: true, description: 'apply patches' },
  ServerSideFieldValidation: {
    stage: 'beta',
    default: true,
    description: 'writes support fieldValidation; without it unknown fields are dropped silently',
  },
  StorageVersionHash: {
    stage: 'beta',
    default: true,
    description: 'discovery has a hash of the storage version of each resource',
  },
  ValidatingAdmissionPolicy: {
    stage: 'alpha',
    default: false,
    description: `policies of ${groups.admissionregistration}/v1alpha1, where it is served, are enforced on writes`,
  },
  WatchBookmark: { stage: 'GA', default: true, description: 'watches support allowWatchBookmarks' },
} as const satisfies Readonly<Record<string, FeatureGate>>;

/** The name of a gate with an effect. */
export type FeatureName = keyof typeof serverGates | keyof typeof apiGates;

/** Every feature gate of release 1.26, by its name; other names are refused. */
export const knownGates: Readonly<Record<FeatureName, FeatureGate>> = {
  ...gatesWithoutEffect,
  ...serverGates,
  ...apiGates,
};
