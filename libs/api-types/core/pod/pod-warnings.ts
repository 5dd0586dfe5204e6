import { understood } from '@binnacle/api-names';
import type { Container, NodeAffinity, PodSpec, PodTemplateSpec, Volume } from '../../generated/core/v1.ts';
import {
  deprecatedLabelNote,
  labelMapWarnings,
  labelRequirementWarnings,
} from '../node/deprecated-labels.ts';
import { claimSpecWarnings } from '../persistent-volume/persistent-volume-claim-warnings.ts';
import { fractionalBytesNote } from '../resource-amounts/fractional-bytes.ts';

type Annotations = Readonly<Record<string, string>>;

const { annotations: names } = understood;

/** Deprecated annotations that were replaced by fields. */
const deprecatedAnnotations: readonly (readonly [key: string, note: string])[] = [
  ...noted(names.criticalPod, 'no effect since v1.16, use the field "priorityClassName" instead'),
  ...noted(names.sysctlsAlpha, 'no effect since v1.11, use the field "sysctls" instead'),
  ...noted(names.unsafeSysctlsAlpha, 'no effect since v1.11, use the field "sysctls" instead'),
];

function noted(keys: readonly string[], note: string): (readonly [key: string, note: string])[] {
  return keys.map(key => [key, note]);
}

const seccompNote =
  'deprecated since v1.19 and without effect from v1.27 on, use the field "seccompProfile" instead';

/** Deprecated volume types. */
const deprecatedVolumes = {
  photonPersistentDisk: 'deprecated since v1.11, no effect since v1.16',
  gitRepo: 'deprecated since v1.11',
  scaleIO: 'deprecated since v1.16, no effect since v1.22',
  flocker: 'deprecated since v1.22, no effect since v1.25',
  storageos: 'deprecated since v1.22, no effect since v1.25',
  quobyte: 'deprecated since v1.22, no effect since v1.25',
  glusterfs: 'deprecated since v1.25, no effect since v1.26',
} as const satisfies Partial<Record<keyof Volume, string>>;
const deprecatedVolumeNames = Object.keys(deprecatedVolumes) as (keyof typeof deprecatedVolumes)[]; // Its own keys.

const byteResources = ['memory', 'ephemeral-storage'];

/** Collects warnings; paths are only formatted for actual warnings. */
interface Findings {
  readonly warnings: string[];
  readonly annotations: Annotations;
  /** Prefix of paths, such as '' or `spec.template.`. */
  readonly root: string;
}

/** Returns warnings about a pod, or a pod template at a path such as `spec.template`. */
export function podWarnings({ metadata, spec = {} }: PodTemplateSpec, template?: string): string[] {
  const root = template === undefined ? '' : `${template}.`;
  const findings: Findings = { warnings: [], annotations: metadata?.annotations ?? {}, root };
  const { warnings } = findings;
  noteLabels(spec, findings);
  for (const [key, note] of deprecatedAnnotations) noteAnnotation(key, note, findings);
  for (const [index, volume] of (spec.volumes ?? []).entries()) noteVolume(volume, index, findings);
  noteRepeated(spec.hostAliases, 'ip', index => `${root}spec.hostAliases[${index}]`, warnings);
  const secrets = spec.imagePullSecrets ?? [];
  noteRepeated(secrets, 'name', index => `${root}spec.imagePullSecrets[${index}]`, warnings);
  for (const [index, { name = '' }] of secrets.entries())
    if (name === '') warnings.push(`${root}spec.imagePullSecrets[${index}].name: invalid empty name ""`);
  noteFractions(spec.overhead, () => `${root}spec.overhead`, warnings);
  // With the field set, the annotation is redundant.
  if (spec.securityContext?.seccompProfile === undefined)
    for (const key of names.seccompPod) noteAnnotation(key, seccompNote, findings);
  for (const list of containerLists)
    for (const [index, container] of (spec[list] ?? []).entries())
      noteContainer(container, () => `${root}spec.${list}[${index}]`, findings);
  return warnings;
}

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Returns warnings about the template of a workload on creation and on updates that change the generation. */
export function changedTemplateWarnings(
  workload: { readonly metadata: { readonly generation?: number | bigint } },
  old: { readonly metadata: { readonly generation?: number | bigint } } | undefined,
  warnings: () => string[],
): string[] {
  return old !== undefined && old.metadata.generation === workload.metadata.generation ? [] : warnings();
}

function noteLabels(
  { nodeSelector, affinity, topologySpreadConstraints }: PodSpec,
  findings: Findings,
): void {
  const { warnings, root } = findings;
  if (nodeSelector !== undefined)
    warnings.push(...labelMapWarnings(nodeSelector, `${root}spec.nodeSelector`));
  if (affinity?.nodeAffinity !== undefined) noteAffinity(affinity.nodeAffinity, findings);
  for (const [index, { topologyKey = '' }] of (topologySpreadConstraints ?? []).entries()) {
    const note = deprecatedLabelNote(topologyKey);
    const at = `${root}spec.topologySpreadConstraints[${index}].topologyKey`;
    if (note !== undefined) warnings.push(`${at}: ${topologyKey} is ${note}`);
  }
}

function noteAffinity(affinity: NodeAffinity, { warnings, root }: Findings): void {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = affinity;
  const path = `${root}spec.affinity.nodeAffinity`;
  for (const [index, { matchExpressions }] of (required?.nodeSelectorTerms ?? []).entries()) {
    const at = `requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}].matchExpressions`;
    warnings.push(...labelRequirementWarnings(matchExpressions, `${path}.${at}`));
  }
  for (const [index, { preference }] of preferred.entries()) {
    const at = `preferredDuringSchedulingIgnoredDuringExecution[${index}].preference.matchExpressions`;
    warnings.push(...labelRequirementWarnings(preference?.matchExpressions, `${path}.${at}`));
  }
}

function noteAnnotation(key: string, note: string, { annotations, warnings, root }: Findings): void {
  if (annotations[key] !== undefined) warnings.push(`${root}metadata.annotations[${key}]: ${note}`);
}

function noteVolume(volume: Volume, index: number, { warnings, root }: Findings): void {
  for (const name of deprecatedVolumeNames)
    if (volume[name] !== undefined)
      warnings.push(`${root}spec.volumes[${index}].${name}: ${deprecatedVolumes[name]}`);
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
  if (claim === undefined) return;
  const path = `${root}spec.volumes[${index}].ephemeral.volumeClaimTemplate.spec`;
  warnings.push(...claimSpecWarnings(claim, path));
}

function noteContainer(container: Container, path: () => string, findings: Findings): void {
  const { name = '', securityContext, resources, env } = container;
  const { warnings } = findings;
  if (securityContext?.seccompProfile === undefined)
    for (const prefix of names.seccompContainer) noteAnnotation(prefix + name, seccompNote, findings);
  noteFractions(resources?.limits, () => `${path()}.resources.limits`, warnings);
  noteFractions(resources?.requests, () => `${path()}.resources.requests`, warnings);
  noteRepeated(env, 'name', index => `${path()}.env[${index}]`, warnings);
}

function noteFractions(
  amounts: Readonly<Record<string, string>> | undefined,
  path: () => string,
  warnings: string[],
): void {
  if (amounts === undefined) return;
  for (const resource of byteResources) {
    const note = fractionalBytesNote(amounts[resource]);
    if (note !== undefined) warnings.push(`${path()}[${resource}]: ${note}`);
  }
}

/** Warns about list elements with the same key as an earlier element. */
function noteRepeated<Key extends string>(
  list: readonly { readonly [key in Key]?: string }[] | undefined,
  key: Key,
  pathOf: (index: number) => string,
  warnings: string[],
): void {
  if (list === undefined || list.length < 2) return;
  const seen = new Set<string>();
  for (const [index, element] of list.entries()) {
    const value = element[key] ?? '';
    if (seen.has(value)) warnings.push(`${pathOf(index)}.${key}: duplicate ${key} ${JSON.stringify(value)}`);
    else seen.add(value);
  }
}
