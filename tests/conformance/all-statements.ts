import type { Statement } from './drivers/conformance-server.ts';
import { authorizationStatements } from './statements/authentication/authorization.ts';
import { credentialPluginStatements } from './statements/authentication/credential-plugins.ts';
import { methodStatements } from './statements/authentication/methods.ts';
import { openIdConnectStatements } from './statements/authentication/open-id-connect.ts';
import { proxyAndImpersonationStatements } from './statements/authentication/proxy-and-impersonation.ts';
import { userAndReviewStatements } from './statements/authentication/users-and-reviews.ts';
import { deletionStatements } from './statements/deletion.ts';
import { errorStatements } from './statements/errors.ts';
import { eventsStatements } from './statements/events.ts';
import { fieldValidationStatements } from './statements/field-validation.ts';
import { healthStatements } from './statements/health.ts';
import { limitStatements } from './statements/limits.ts';
import { listAndWatchStatements } from './statements/list-and-watch.ts';
import { nameAndScopeStatements } from './statements/names-and-scope.ts';
import { negotiationAndDryRunStatements } from './statements/negotiation-and-dry-run.ts';
import { objectMetadataStatements } from './statements/object-metadata.ts';
import { pathShapeStatements } from './statements/path-shapes.ts';
import { queryParameterStatements } from './statements/query-parameters.ts';
import { representationStatements } from './statements/representations.ts';
import { resourceVersionStatements } from './statements/resource-versions.ts';
import { responseStatements } from './statements/responses.ts';
import { serverSideApplyStatements } from './statements/server-side-apply.ts';
import { verbStatements } from './statements/verbs.ts';
import { versioningStatements } from './statements/versioning.ts';
import { whatTheServiceDoesStatements } from './statements/what-the-service-does.ts';

/** Every statement of the specification that the suite answers for, in the order of the documents. */
export const allStatements: readonly Statement[] = [
  ...whatTheServiceDoesStatements,
  ...nameAndScopeStatements,
  ...objectMetadataStatements,
  ...responseStatements,
  ...representationStatements,
  ...deletionStatements,
  ...pathShapeStatements,
  ...verbStatements,
  ...queryParameterStatements,
  ...listAndWatchStatements,
  ...resourceVersionStatements,
  ...negotiationAndDryRunStatements,
  ...fieldValidationStatements,
  ...serverSideApplyStatements,
  ...healthStatements,
  ...eventsStatements,
  ...errorStatements,
  ...limitStatements,
  ...versioningStatements,
  ...userAndReviewStatements,
  ...credentialPluginStatements,
  ...methodStatements,
  ...openIdConnectStatements,
  ...proxyAndImpersonationStatements,
  ...authorizationStatements,
];
