/** What tests of other packages use of patching besides index.ts. */

export { applyJsonPatch } from './json-patch.ts';
