export { standaloneFlags } from './config.ts';
export {
  clientConfigurationOf,
  createLocalPki,
  localClients,
  writeAdminConfiguration,
} from './credentials.ts';
export { type Standalone, type StandaloneOptions, startStandalone } from './start-standalone.ts';
