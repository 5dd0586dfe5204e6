/** The standalone form for tests of other packages, besides index.ts. */

export { createLocalPki } from './credentials.ts';
export {
  type Standalone,
  type StandaloneOptions,
  startStandalone,
} from './start-standalone.ts';
