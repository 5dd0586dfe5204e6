/** Feature gates for tests of other packages. */

export { featureGatesFrom } from './feature-gates-flag.ts';
