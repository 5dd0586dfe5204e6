import { anonymousTests } from './authentication/anonymous.ts';
import { authorizationTests } from './authentication/authorization.ts';
import { credentialPluginTests } from './authentication/credential-plugins.ts';
import { impersonationTests } from './authentication/impersonation.ts';
import { methodTests } from './authentication/methods.ts';
import { openIdConnectTests } from './authentication/open-id-connect.ts';
import { proxyTests } from './authentication/proxy.ts';
import { tokenWebhookTests } from './authentication/token-webhook.ts';
import { userTests } from './authentication/users.ts';
import { webhookCallTests } from './authentication/webhook-calls.ts';
import { contentNegotiationTests } from './content-negotiation.ts';
import { deletionTests } from './deletion.ts';
import { deprecationTests } from './deprecation.ts';
import type { ConformanceTests } from './drivers/conformance-server.ts';
import { dryRunTests } from './dry-run.ts';
import { errorTests } from './errors.ts';
import { expiredVersionTests } from './expired-versions.ts';
import { fieldValidationTests } from './field-validation.ts';
import { healthTests } from './health.ts';
import { limitTests } from './limits.ts';
import { listAndWatchTests } from './list-and-watch.ts';
import { nameAndScopeTests } from './names-and-scope.ts';
import { objectMetadataTests } from './object-metadata.ts';
import { pathShapeTests } from './path-shapes.ts';
import { queryParameterTests } from './query-parameters.ts';
import { representationTests } from './representations.ts';
import { resourceVersionTests } from './resource-versions.ts';
import { responseTests } from './responses.ts';
import { serverSideApplyTests } from './server-side-apply.ts';
import { verbTests } from './verbs.ts';
import { programStartTests } from './versioning/program-starts.ts';
import { versioningTests } from './versioning.ts';
import { whatTheServiceDoesTests } from './what-the-service-does.ts';

/**
 * Tests of the suite, one record a topic, in the order of the specification. The last ones open connections of their
 * own, with certificates or programs, over HTTP/1.1; the others ask over the protocol of the server under test.
 */
export const sharingTests: readonly ConformanceTests[] = [
  whatTheServiceDoesTests,
  nameAndScopeTests,
  objectMetadataTests,
  responseTests,
  representationTests,
  deletionTests,
  pathShapeTests,
  verbTests,
  queryParameterTests,
  listAndWatchTests,
  resourceVersionTests,
  contentNegotiationTests,
  dryRunTests,
  fieldValidationTests,
  serverSideApplyTests,
  healthTests,
  deprecationTests,
  errorTests,
  limitTests,
  versioningTests,
  anonymousTests,
  impersonationTests,
  authorizationTests,
  webhookCallTests,
  programStartTests,
  userTests,
  tokenWebhookTests,
  credentialPluginTests,
  methodTests,
  openIdConnectTests,
  proxyTests,
];

/** Tests that come after all others, because a form may not be the same after them. */
export const lastTests: readonly ConformanceTests[] = [expiredVersionTests];

/** Every test of the suite. */
export const allTests: readonly ConformanceTests[] = [...sharingTests, ...lastTests];
