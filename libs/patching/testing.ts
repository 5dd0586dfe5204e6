/** Patching exports for tests of other packages, besides index.ts. */

export { applyJsonPatch } from './json-patch.ts';
