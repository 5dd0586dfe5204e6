import type { ConformanceTests } from './drivers/conformance-server.ts';
import { apiLevelTests } from './versioning/api-levels.ts';
import { deprecationRuleTests } from './versioning/deprecation-rules.ts';
import { groupTests } from './versioning/groups.ts';
import { removedVersionTests } from './versioning/removed-versions.ts';

/** 1, "Versioning". */
export const versioningTests: ConformanceTests = {
  ...apiLevelTests,
  ...groupTests,
  ...deprecationRuleTests,
  ...removedVersionTests,
};
