import { understood } from '@binnacle/api-names';
import { type FieldError, fieldPath, invalidField } from '@binnacle/api-objects';
import {
  isStricter,
  type LevelVersion,
  levels,
  parseLevel,
  parseLevelVersion,
} from './checks/level-version.ts';

/** The treatment of pods that violate a level: refusal, audit annotation, or warning. */
export type Mode = 'enforce' | 'audit' | 'warn';

/** The level of each mode. */
export type Policy = Readonly<Record<Mode, LevelVersion>>;

/** The policy of a namespace, and the errors of its labels. */
export interface ReadPolicy {
  readonly policy: Policy;
  readonly errors: readonly FieldError[];
}

const prefixes = understood.labels.podSecurity;

/**
 * Reads the policy of a namespace from its labels, over the defaults. An invalid label makes `enforce` as strict as possible, and
 * the other modes as lenient as possible.
 */
export function policyFrom(labels: Readonly<Record<string, string>>, defaults: Policy): ReadPolicy {
  const enforce = readMode(labels, 'enforce', defaults);
  const audit = readMode(labels, 'audit', defaults);
  const warn = readMode(labels, 'warn', defaults);
  const errors = [enforce, audit, warn].flatMap(mode => mode.errors);
  const policy = { enforce: enforce.value, audit: audit.value, warn: warn.value };
  return { policy: { ...policy, warn: warningFor(policy, { enforce, warn }) }, errors };
}

/** Whether every mode has the level privileged. */
export function isPrivileged(policy: Policy): boolean {
  return [policy.enforce, policy.audit, policy.warn].every(({ level }) => level === 'privileged');
}

interface ReadMode {
  readonly value: LevelVersion;
  readonly errors: readonly FieldError[];
  readonly hasLevel: boolean;
  readonly hasVersion: boolean;
}

/** Reads the labels of a mode under each accepted name; where they differ, the stricter level counts. */
function readMode(labels: Readonly<Record<string, string>>, mode: Mode, defaults: Policy): ReadMode {
  const [first, ...others] = prefixes
    .map(prefix => readLabels({ labels, prefix, mode }, defaults))
    .filter(({ hasLevel, hasVersion }) => hasLevel || hasVersion);
  if (first === undefined) return { value: defaults[mode], errors: [], hasLevel: false, hasVersion: false };
  return others.reduce(stricterMode, first);
}

function stricterMode(a: ReadMode, b: ReadMode): ReadMode {
  const errors = [...a.errors, ...b.errors];
  // Labels with a version alone set the version of the level in the other labels.
  if (a.hasLevel !== b.hasLevel) {
    const [level, version] = a.hasLevel ? [a, b] : [b, a];
    const value = { level: level.value.level, version: (level.hasVersion ? level : version).value.version };
    return { value, errors, hasLevel: true, hasVersion: true };
  }
  const isB = isStricter(b.value.level, a.value.level);
  if (isB || isStricter(a.value.level, b.value.level)) return { ...(isB ? b : a), errors };
  return { ...(isNewer(b.value.version, a.value.version) ? b : a), errors };
}

function isNewer(version: LevelVersion['version'], than: LevelVersion['version']): boolean {
  return than !== 'latest' && (version === 'latest' || version > than);
}

interface ModeLabels {
  readonly labels: Readonly<Record<string, string>>;
  readonly prefix: string;
  readonly mode: Mode;
}

function readLabels({ labels, prefix, mode }: ModeLabels, defaults: Policy): ReadMode {
  const levelLabel = labelIn(labels, prefix + mode);
  const versionLabel = labelIn(labels, `${prefix}${mode}-version`);
  const level = levelLabel && parseLevel(levelLabel.value);
  const version = versionLabel && parseLevelVersion(versionLabel.value);
  const errors: FieldError[] = [];
  if (levelLabel && level === undefined)
    errors.push(labelError(levelLabel, `must be one of ${levels.join(', ')}`));
  if (versionLabel && version === undefined)
    errors.push(labelError(versionLabel, 'must be "latest" or "v1.x"'));
  const fallback = mode === 'enforce' ? 'restricted' : 'privileged';
  return {
    value: {
      level: level ?? (levelLabel ? fallback : defaults[mode].level),
      version: version ?? (versionLabel ? 'latest' : defaults[mode].version),
    },
    errors,
    hasLevel: levelLabel !== undefined,
    hasVersion: versionLabel !== undefined,
  };
}

/** The level of `warn`: that of `enforce`, unless the labels set one, so that workloads that violate it cause warnings. */
function warningFor(
  policy: Policy,
  read: { readonly enforce: ReadMode; readonly warn: ReadMode },
): LevelVersion {
  const { enforce, warn } = policy;
  const isEnforced = read.enforce.hasLevel && read.enforce.errors.length === 0;
  if (read.warn.hasLevel || !isEnforced || !isStricter(enforce.level, warn.level)) return warn;
  return { level: enforce.level, version: read.warn.hasVersion ? warn.version : enforce.version };
}

interface FoundLabel {
  readonly key: string;
  readonly value: string;
}

function labelIn(labels: Readonly<Record<string, string>>, key: string): FoundLabel | undefined {
  const value = labels[key];
  return value === undefined ? undefined : { key, value };
}

function labelError({ key, value }: FoundLabel, detail: string): FieldError {
  return invalidField(fieldPath('metadata', 'labels').key(key), value, detail);
}
