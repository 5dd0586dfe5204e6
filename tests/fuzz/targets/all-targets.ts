import { jsonBodies, protobufBodies, yamlBodies } from './bodies.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import {
  appliedConfigurations,
  jsonPatches,
  managedFields,
  mergePatches,
  strategicMergePatches,
} from './patches.ts';
import {
  acceptHeaders,
  clientConfigurations,
  continueTokens,
  continueTokenTexts,
  execCredentials,
  requestTargets,
  webSocketFrames,
} from './requests.ts';
import { expressions, fieldSelectors, jsonPaths, labelSelectors, patterns, smallTexts } from './texts.ts';

/** Every parser that bytes of strangers reach. */
export const allTargets: readonly FuzzTarget[] = [
  jsonBodies,
  yamlBodies,
  protobufBodies,
  jsonPatches,
  mergePatches,
  strategicMergePatches,
  appliedConfigurations,
  managedFields,
  labelSelectors,
  fieldSelectors,
  smallTexts,
  jsonPaths,
  expressions,
  patterns,
  continueTokens,
  continueTokenTexts,
  acceptHeaders,
  requestTargets,
  webSocketFrames,
  clientConfigurations,
  execCredentials,
];
