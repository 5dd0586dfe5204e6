/** The client for tests of other packages, besides index.ts. */

export { parseExecCredential } from './credentials/exec-credential.ts';
export { readWatch, type WatchMessage } from './requests/watch-stream.ts';
