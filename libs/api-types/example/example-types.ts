import { join } from 'node:path';
import type { AddedTypes } from '../registry/registry.ts';
import { exampleV1 } from './resources.ts';

/** The group that CONTRIBUTING.md builds as an example; it is served where a registry is made with it, which tests do. */
export const exampleTypes: AddedTypes = {
  generatedDirectory: join(import.meta.dirname, 'generated'),
  groupVersions: [exampleV1],
};
