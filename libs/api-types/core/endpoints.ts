import type { KindRules } from '../definitions.ts';

/** The rules of Endpoints objects. */
export const endpointsRules: KindRules = { createOnUpdate: true };
