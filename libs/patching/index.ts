export { jsonPatchSteps } from './json-patch.ts';
export { applyMergePatch, mergePatchSteps } from './merge-patch.ts';
export { applyStrategicMergePatch } from './strategic-merge-patch.ts';
