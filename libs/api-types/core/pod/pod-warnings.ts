import type { Container, PodSpec, PodTemplateSpec, Volume } from '../../generated/core/v1.ts';
import {
  deprecatedLabelNote,
  labelMapWarnings,
  labelRequirementWarnings,
} from '../node/deprecated-labels.ts';
import { claimSpecWarnings } from '../persistent-volume/persistent-volume-claim-warnings.ts';
import { fractionalBytesWarnings } from '../resource-amounts/fractional-bytes.ts';

type Annotations = Readonly<Record<string, string>>;

const domains = ['cluster.io', 'kubernetes.io'];

/** Annotations that fields took the place of; `*` is the domain. */
const deprecatedAnnotations: readonly (readonly [key: string, note: string])[] = [
  ['scheduler.alpha.*/critical-pod', 'no effect since v1.16, use the field "priorityClassName" instead'],
  ['security.alpha.*/sysctls', 'no effect since v1.11, use the field "sysctls" instead'],
  ['security.alpha.*/unsafe-sysctls', 'no effect since v1.11, use the field "sysctls" instead'],
].flatMap(([key = '', note = '']) => domains.map(domain => [key.replace('*', domain), note] as const));

const seccompKeys = domains.map(domain => `seccomp.security.alpha.${domain}/pod`);
const seccompPrefixes = domains.map(domain => `container.seccomp.security.alpha.${domain}/`);
const seccompNote =
  'deprecated since v1.19 and without effect from v1.27 on, use the field "seccompProfile" instead';

/** Volumes of drivers that are gone, or on their way. */
const deprecatedVolumes = {
  photonPersistentDisk: 'deprecated since v1.11, no effect since v1.16',
  gitRepo: 'deprecated since v1.11',
  scaleIO: 'deprecated since v1.16, no effect since v1.22',
  flocker: 'deprecated since v1.22, no effect since v1.25',
  storageos: 'deprecated since v1.22, no effect since v1.25',
  quobyte: 'deprecated since v1.22, no effect since v1.25',
  glusterfs: 'deprecated since v1.25, no effect since v1.26',
} as const satisfies Partial<Record<keyof Volume, string>>;
const deprecatedVolumeNames = Object.keys(deprecatedVolumes) as (keyof typeof deprecatedVolumes)[]; // its own keys

const byteResources = ['memory', 'ephemeral-storage'];

/** Warnings about a pod, or a template of pods at a path such as `spec.template`. */
export function podWarnings({ metadata, spec = {} }: PodTemplateSpec, template?: string): string[] {
  const root = template === undefined ? '' : `${template}.`;
  const spec$ = `${root}spec`;
  const annotations = { values: metadata?.annotations ?? {}, path: `${root}metadata.annotations` };
  return [
    ...placementWarnings(spec, spec$),
    ...annotationWarnings(annotations),
    ...(spec.volumes ?? []).flatMap((volume, index) => volumeWarnings(volume, `${spec$}.volumes[${index}]`)),
    ...repeatedWarnings(spec.hostAliases, 'ip', `${spec$}.hostAliases`),
    ...repeatedWarnings(spec.imagePullSecrets, 'name', `${spec$}.imagePullSecrets`),
    ...(spec.imagePullSecrets ?? []).flatMap(({ name = '' }, index) =>
      name === '' ? [`${spec$}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
    ...byteResources.flatMap(name =>
      fractionalBytesWarnings(spec.overhead?.[name], `${spec$}.overhead[${name}]`),
    ),
    ...podSeccompWarnings(spec, annotations),
    ...(['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap(list =>
      (spec[list] ?? []).flatMap((container, index) =>
        containerWarnings(container, `${spec$}.${list}[${index}]`, annotations),
      ),
    ),
  ];
}

/** Warnings about a workload on an update: those about its template where its generation says that something changed. */
export function changedTemplateWarnings(
  workload: { readonly metadata: { readonly generation?: number } },
  old: { readonly metadata: { readonly generation?: number } } | undefined,
  warnings: () => string[],
): string[] {
  return old !== undefined && old.metadata.generation === workload.metadata.generation ? [] : warnings();
}

function placementWarnings(spec: PodSpec, path: string): string[] {
  const { nodeAffinity } = spec.affinity ?? {};
  const affinity$ = `${path}.affinity.nodeAffinity`;
  const required$ = `${affinity$}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  const preferred$ = `${affinity$}.preferredDuringSchedulingIgnoredDuringExecution`;
  const required = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const preferred = nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...labelMapWarnings(spec.nodeSelector, `${path}.nodeSelector`),
    ...required.flatMap(({ matchExpressions }, index) =>
      labelRequirementWarnings(matchExpressions, `${required$}[${index}].matchExpressions`),
    ),
    ...preferred.flatMap(({ preference }, index) =>
      labelRequirementWarnings(
        preference?.matchExpressions,
        `${preferred$}[${index}].preference.matchExpressions`,
      ),
    ),
    ...(spec.topologySpreadConstraints ?? []).flatMap(({ topologyKey = '' }, index) => {
      const note = deprecatedLabelNote(topologyKey);
      const at = `${path}.topologySpreadConstraints[${index}].topologyKey`;
      return note === undefined ? [] : [`${at}: ${topologyKey} is ${note}`];
    }),
  ];
}

interface PlacedAnnotations {
  readonly values: Annotations;
  readonly path: string;
}

function annotationWarnings({ values, path }: PlacedAnnotations): string[] {
  return deprecatedAnnotations.flatMap(([key, note]) =>
    values[key] === undefined ? [] : [`${path}[${key}]: ${note}`],
  );
}

/** The annotation says the same as a field that is set. */
function podSeccompWarnings(spec: PodSpec, { values, path }: PlacedAnnotations): string[] {
  if (spec.securityContext?.seccompProfile !== undefined) return [];
  return seccompKeys.flatMap(key => (values[key] === undefined ? [] : [`${path}[${key}]: ${seccompNote}`]));
}

function volumeWarnings(volume: Volume, path: string): string[] {
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
  return [
    ...deprecatedVolumeNames.flatMap(name =>
      volume[name] === undefined ? [] : [`${path}.${name}: ${deprecatedVolumes[name]}`],
    ),
    ...(claim === undefined ? [] : claimSpecWarnings(claim, `${path}.ephemeral.volumeClaimTemplate.spec`)),
  ];
}

function containerWarnings(container: Container, path: string, annotations: PlacedAnnotations): string[] {
  const { name = '', securityContext, resources, env } = container;
  const warnings: string[] = [];
  if (securityContext?.seccompProfile === undefined)
    for (const prefix of seccompPrefixes) {
      const key = prefix + name;
      if (annotations.values[key] !== undefined) warnings.push(`${annotations.path}[${key}]: ${seccompNote}`);
    }
  for (const resource of byteResources)
    for (const kind of ['limits', 'requests'] as const)
      warnings.push(
        ...fractionalBytesWarnings(resources?.[kind]?.[resource], `${path}.resources.${kind}[${resource}]`),
      );
  warnings.push(...repeatedWarnings(env, 'name', `${path}.env`));
  return warnings;
}

/** Warnings about the elements of a list that have what an earlier one has too. */
function repeatedWarnings<Key extends string>(
  list: readonly { readonly [key in Key]?: string }[] | undefined,
  key: Key,
  path: string,
): string[] {
  if (list === undefined || list.length < 2) return [];
  const seen = new Set<string>();
  return list.flatMap((element, index) => {
    const value = element[key] ?? '';
    if (seen.has(value)) return [`${path}[${index}].${key}: duplicate ${key} ${JSON.stringify(value)}`];
    seen.add(value);
    return [];
  });
}
