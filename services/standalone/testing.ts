/** What tests of other packages use of standalone besides index.ts. */

export { type Standalone, type StandaloneOptions, startStandalone } from './start-standalone.ts';
