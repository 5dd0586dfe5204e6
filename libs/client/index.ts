export { type ClientConfiguration, loadClientConfiguration } from './configuration/client-configuration.ts';
export {
  type ClientConfigurationNames,
  writeClientConfiguration,
} from './configuration/write-client-configuration.ts';
export { Informer, type InformerEvents, type InformerOptions } from './informer/informer.ts';
export {
  candidateIdentity,
  type LeaderElectionOptions,
  runLeaderElection,
} from './leader-election/leader-election.ts';
export {
  type ApiClient,
  type ApiClientOptions,
  type ApiRequestOptions,
  createApiClient,
  type WatchRequestOptions,
} from './requests/api-client.ts';
export { readWatch, type WatchMessage } from './requests/watch-stream.ts';
