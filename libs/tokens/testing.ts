/** Keys of tokens for tests of other packages. */

export { keyIdFromKey } from './token-key.ts';
