import type { PodTemplateSpec } from '../../generated/core/v1.ts';
import { applyPodSpecDefaults } from '../pod/pod-defaults.ts';

/** Applies the pod defaults of a template that depend on other fields. */
export function applyPodTemplateDefaults(template: PodTemplateSpec | undefined): void {
  if (template?.spec) applyPodSpecDefaults(template.spec);
}
