import type { KindRules } from '../definitions.ts';

/** The rules of ConfigMap objects. */
export const configMapRules: KindRules = {};
