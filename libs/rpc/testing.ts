/** Clients for tests of other packages. */

export { localClient } from './client/local-client.ts';
export { withoutHotMethods } from './test-drivers/without-hot-methods.ts';
