import type { ObjectMeta } from '@binnacle/api-objects';
import type { Container, PodSpec } from '@binnacle/api-types/core/v1';
import type { Level } from './level-version.ts';

/** The pod or pod template that is checked. */
export interface CheckedPod {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
}

/** An object with a security context: a pod, or one of its containers. */
export type Confined = Pick<PodSpec, 'securityContext'> | Pick<Container, 'securityContext'>;

/** A finding of a check: the rule in short, and the detail of what breaks it. */
export interface Finding {
  readonly rule: string;
  readonly detail: string;
}

/** Checks one aspect of a pod; returns undefined where the pod keeps the rule. */
export type PodCheck = (pod: CheckedPod) => Finding | undefined;

/** One rule of a level, in its versions. */
export interface CheckDefinition {
  /** Sort key of the findings within a level. */
  readonly id: string;
  readonly level: Exclude<Level, 'privileged'>;
  /** The checks, each with the first minor version that it applies to, in ascending order. */
  readonly versions: readonly { readonly from: number; readonly check: PodCheck }[];
  /** The rule of the more lenient level that this one contains. */
  readonly replaces?: string;
}
