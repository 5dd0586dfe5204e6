import { join } from 'node:path';
import type { AddedTypes } from '../registry/registry.ts';
import { exampleV1 } from './resources.ts';

/** The example group of CONTRIBUTING.md; only served by a registry created with it, as in tests. */
export const exampleTypes: AddedTypes = {
  generatedDirectory: join(import.meta.dirname, 'generated'),
  groupVersions: [exampleV1],
};
