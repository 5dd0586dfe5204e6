import type { AddedTypes } from '../registry/registry.ts';
import { exampleV1 } from './resources.ts';

/** The group that CONTRIBUTING.md builds as an example; it is served where a registry is made with it, which tests do. */
export const exampleTypes: AddedTypes = {
  protoDirectory: import.meta.dirname,
  groupVersions: [exampleV1],
};
