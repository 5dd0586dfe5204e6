import {
  type ApiObject,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  notSupportedField,
} from '@binnacle/api-objects';
import type { GatedRules } from '../../definitions/gated-rules.ts';
import type { Container, PodTemplateSpec, ResourceFieldSelector } from '../../generated/core/v1.ts';
import { longSearchErrors } from './name-resolution-validation.ts';
import { deletionCostErrors } from './pod-annotations.ts';
import { isHugePageResource, resourceFields } from './volumes/downward-api-validation.ts';

/** A pod or pod template, and the paths of its metadata and spec. */
interface PlacedPod {
  readonly pod: PodTemplateSpec;
  readonly metadata: FieldPath;
  readonly spec: FieldPath;
}

/** A feature-gated validation; values that the stored object already has are accepted. */
type GatedCheck = (now: PlacedPod, before: PodTemplateSpec | undefined) => FieldError[];

/**
 * The feature-gated rules of pods, or of pod templates at a path such as `spec.template`. Like kube-apiserver they report
 * template annotations at the template, without metadata.
 */
export function gatedPodRules<T extends ApiObject>(template?: string): GatedRules<T>[] {
  const path = template?.split('.') ?? [];
  const place = fieldPath(...path);
  const metadata = template === undefined ? fieldPath('metadata') : place;
  const rulesFrom = (check: GatedCheck) => {
    const of = (object: T) => ({ pod: podAt(object, path), metadata, spec: place.child('spec') });
    return {
      validateCreate: (object: T) => check(of(object), undefined),
      validateUpdate: (object: T, old: T) => check(of(object), podAt(old, path)),
    };
  };
  return [
    { gate: 'ExpandedDNSConfig', off: rulesFrom(searchListErrors) },
    { gate: 'DownwardAPIHugePages', off: rulesFrom(hugePageErrors) },
    { gate: 'PodDeletionCost', on: rulesFrom(costErrors) },
    { gate: 'allowPrivileged', off: rulesFrom(privilegedErrors) },
  ];
}

/** Returns the pod within an object; an empty template if a part of the path is absent. */
function podAt(object: ApiObject, path: readonly string[]): PodTemplateSpec {
  let value: unknown = object;
  for (const name of path) value = (value as Record<string, unknown> | undefined)?.[name]; // An object of the kind.
  return (value ?? {}) as PodTemplateSpec; // Of the kind, too.
}

function searchListErrors({ pod, spec }: PlacedPod, before: PodTemplateSpec | undefined): FieldError[] {
  const config = pod.spec?.dnsConfig;
  if (config === undefined || equalJson(config.searches ?? [], before?.spec?.dnsConfig?.searches ?? []))
    return [];
  return longSearchErrors(config.searches ?? [], spec.child('dnsConfig', 'searches'));
}

function costErrors({ pod, metadata }: PlacedPod, before: PodTemplateSpec | undefined): FieldError[] {
  const errors = deletionCostErrors(pod.metadata?.annotations ?? {}, metadata.child('annotations'));
  const wasRight = deletionCostErrors(before?.metadata?.annotations ?? {}, metadata).length === 0;
  return wasRight ? errors : [];
}

function hugePageErrors({ pod, spec }: PlacedPod, before: PodTemplateSpec | undefined): FieldError[] {
  const errors = resourceReferences(pod, spec).flatMap(([{ resource = '' }, path]) =>
    isHugePageResource(resource) ? [notSupportedField(path.child('resource'), resource, resourceFields)] : [],
  );
  if (errors.length === 0 || before === undefined) return errors;
  const had = resourceReferences(before, spec).some(([{ resource = '' }]) => isHugePageResource(resource));
  return had ? [] : errors;
}

const containerLists = ['containers', 'initContainers', 'ephemeralContainers'] as const;

/** An update may keep what the stored object has. */
function privilegedErrors({ pod, spec }: PlacedPod): FieldError[] {
  return containerLists.flatMap(list =>
    (pod.spec?.[list] ?? []).flatMap(({ securityContext }: Container, index) => {
      const at = spec.child(list).index(index).child('securityContext', 'privileged');
      return securityContext?.privileged === true ? [forbiddenField(at, 'disallowed by cluster policy')] : [];
    }),
  );
}

/** Returns the resource references of a pod in environment variables and downward API files. */
function resourceReferences(
  { spec = {} }: PodTemplateSpec,
  path: FieldPath,
): (readonly [ResourceFieldSelector, FieldPath])[] {
  const inVariables = containerLists.flatMap(list =>
    (spec[list] ?? []).flatMap(({ env = [] }: Container, index) =>
      env.map(
        ({ valueFrom }, position) =>
          [
            valueFrom?.resourceFieldRef,
            path.child(list).index(index).child('env').index(position).child('valueFrom', 'resourceFieldRef'),
          ] as const,
      ),
    ),
  );
  const inFiles = (spec.volumes ?? []).flatMap(({ downwardAPI, projected }, index) => {
    const at = path.child('volumes').index(index);
    const sources = [
      [downwardAPI, at.child('downwardAPI')] as const,
      ...(projected?.sources ?? []).map(
        (source, position) =>
          [
            source.downwardAPI,
            at.child('projected', 'sources').index(position).child('downwardAPI'),
          ] as const,
      ),
    ];
    return sources.flatMap(([source, place]) =>
      (source?.items ?? []).map(
        ({ resourceFieldRef }) => [resourceFieldRef, place.child('resourceFieldRef')] as const,
      ),
    );
  });
  return [...inVariables, ...inFiles].flatMap(([reference, at]) =>
    reference === undefined ? [] : [[reference, at] as const],
  );
}
