import type { ObjectMeta } from '@binnacle/api-objects';
import type { Container, PodSpec } from '@binnacle/api-types/core/v1';
import type { Level } from './level-version.ts';

/** The pod, or the template of pods, that is looked at. */
export interface CheckedPod {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
}

/** An object with a security context: a pod, or one of its containers. */
export type Confined = Pick<PodSpec, 'securityContext'> | Pick<Container, 'securityContext'>;

/** A finding of a check: the rule in short, and who breaks it how. */
export interface Finding {
  readonly rule: string;
  readonly detail: string;
}

/** Looks at one thing of a pod; undefined when there is nothing to say. */
export type PodCheck = (pod: CheckedPod) => Finding | undefined;

/** One rule of a level, as it was from a release on. */
export interface CheckDefinition {
  /** Findings are told in the order of these names, those of the more lenient level first. */
  readonly id: string;
  readonly level: Exclude<Level, 'privileged'>;
  /** Each way of checking, with the minor version from which on it counts, in ascending order. */
  readonly versions: readonly { readonly from: number; readonly check: PodCheck }[];
  /** The rule of the more lenient level that this one contains. */
  readonly replaces?: string;
}
