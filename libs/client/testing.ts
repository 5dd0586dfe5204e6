/** What tests of other packages use of client besides index.ts. */

export { parseExecCredential } from './credentials/exec-credential.ts';
export { readWatch, type WatchMessage } from './requests/watch-stream.ts';
