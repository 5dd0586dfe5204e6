/** API type exports for tests of other packages, besides index.ts. */

export { matchPattern } from './apiextensions/pattern.ts';
export { exampleTypes } from './example/example-types.ts';
export { valuesAt } from './json-path/json-path.ts';
export { parseJsonPath } from './json-path/json-path-parser.ts';
export { conditionsErrors } from './values/condition-validation.ts';
export { asNumber } from './values/json-access.ts';
