import type { Statement } from './conformance-server.ts';
import { pathShapeStatements } from './statements/path-shapes.ts';

/** Every statement of the specification that the suite answers for, in the order of the documents. */
export const allStatements: readonly Statement[] = [...pathShapeStatements];
