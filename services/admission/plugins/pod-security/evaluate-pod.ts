import { baselineCapabilities, restrictedCapabilities } from './checks/capabilities.ts';
import type { CheckDefinition, CheckedPod, Finding, PodCheck } from './checks/check.ts';
import {
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  privilegedContainers,
  windowsHostProcess,
} from './checks/host-access.ts';
import { allowPrivilegeEscalation, restrictedVolumes, runAsNonRoot, runAsUser } from './checks/identity.ts';
import { appArmorProfile, procMount, seLinuxOptions, sysctls } from './checks/kernel-protection.ts';
import type { LevelVersion } from './checks/level-version.ts';
import { baselineSeccomp, restrictedSeccomp } from './checks/seccomp.ts';

/** Every rule in the order of findings: the more lenient level first, then by name. */
const definitions: readonly CheckDefinition[] = [
  appArmorProfile,
  baselineCapabilities,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  privilegedContainers,
  procMount,
  seLinuxOptions,
  baselineSeccomp,
  sysctls,
  windowsHostProcess,
  allowPrivilegeEscalation,
  restrictedCapabilities,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  restrictedSeccomp,
];

/** Checks a pod against a level; returns no findings when the level permits it. */
export function evaluatePod(levelVersion: LevelVersion, pod: CheckedPod): Finding[] {
  return selectChecks(levelVersion).flatMap(check => check(pod) ?? []);
}

/** Formats findings as one text: `hostPort (container "a" …), privileged (…)`. */
export function findingsText(findings: readonly Finding[]): string {
  return findings.map(({ rule, detail }) => `${rule} (${detail})`).join(', ');
}

function selectChecks({ level, version }: LevelVersion): PodCheck[] {
  if (level === 'privileged') return [];
  const minor = version === 'latest' ? Number.POSITIVE_INFINITY : version;
  const active = definitions.flatMap(definition => {
    const newest = definition.versions.findLast(({ from }) => from <= minor);
    const isOfLevel = level === 'restricted' || definition.level === 'baseline';
    return newest !== undefined && isOfLevel ? [{ definition, check: newest.check }] : [];
  });
  const replaced = new Set(active.map(({ definition }) => definition.replaces));
  return active.filter(({ definition }) => !replaced.has(definition.id)).map(({ check }) => check);
}
