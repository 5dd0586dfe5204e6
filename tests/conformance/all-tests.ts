import type { ConformanceTests } from './conformance-server.ts';
import { pathShapeTests } from './path-shapes.ts';

/** Every test of the suite, one record a topic. */
export const allTests: readonly ConformanceTests[] = [pathShapeTests];
