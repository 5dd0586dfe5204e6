export {
  type ClientConfiguration,
  loadClientConfiguration,
} from './configuration/client-configuration.ts';
export { type ConfigurationFiles, readConfigurationFiles } from './configuration/configuration-files.ts';
export { clientConfigurationPaths } from './configuration/configuration-paths.ts';
export { followClientConfiguration } from './configuration/follow-client-configuration.ts';
export { writeClientConfiguration } from './configuration/write-client-configuration.ts';
export { createCredentialSource } from './credentials/create-credential-source.ts';
export { Informer, type InformerOptions } from './informer/informer.ts';
export { candidateIdentity, runLeaderElection } from './leader-election/leader-election.ts';
export {
  createRemoteWebhook,
  type RemoteWebhook,
} from './remote/remote-webhook.ts';
export { RemoteWebhookError } from './remote/remote-webhook-error.ts';
export { type ApiClient, createApiClient } from './requests/api-client.ts';
export {
  createDirectClient,
  type DirectClient,
  ServerUnreachable,
} from './requests/direct-client.ts';
export type { ExchangeNote } from './requests/exchange-note.ts';
export { metadataMediaType } from './requests/metadata-media-type.ts';
export type { ApiRequestOptions } from './requests/send.ts';
export type { WatchMessage } from './requests/watch-stream.ts';
