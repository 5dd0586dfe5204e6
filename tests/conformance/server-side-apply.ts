import type { ConformanceTests } from './drivers/conformance-server.ts';
import { conflictTests } from './server-side-apply/conflicts.ts';
import { controllerTests } from './server-side-apply/controllers.ts';
import { customResourceTests } from './server-side-apply/custom-resources.ts';
import { listAndMapTypeTests } from './server-side-apply/list-and-map-types.ts';
import { managerTests } from './server-side-apply/managers.ts';
import { mergingTests } from './server-side-apply/merging.ts';
import { permissionTests } from './server-side-apply/permissions.ts';
import { applyRequestTests } from './server-side-apply/requests.ts';
import { resetTests } from './server-side-apply/reset.ts';

/** Spec 1, "Server-side apply", point by point. */
export const serverSideApplyTests: ConformanceTests = {
  ...applyRequestTests,
  ...managerTests,
  ...conflictTests,
  ...mergingTests,
  ...listAndMapTypeTests,
  ...customResourceTests,
  ...controllerTests,
  ...permissionTests,
  ...resetTests,
};
