/** Keys of tokens for tests of other packages. */

export { keyIdOf } from './token-key.ts';
