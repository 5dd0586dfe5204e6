import { asObject } from '../values/json-access.ts';
import { applyPodSpecDefaults } from './pod-defaults.ts';

/** The defaults of the pods of a template that depend on other fields. */
export function applyPodTemplateDefaults(template: unknown): void {
  const spec = asObject(asObject(template)?.['spec']);
  if (spec) applyPodSpecDefaults(spec);
}
