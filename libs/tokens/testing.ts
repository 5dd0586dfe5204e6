/** Token keys for tests of other packages. */

export { keyIdFromKey } from './token-key.ts';
