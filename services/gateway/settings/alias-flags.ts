import { vocabulary } from '@binnacle/api-names';
import { booleanFlag, type Flag, flagGroup } from '@binnacle/flags';

/** The flags of group aliases: whether groups are served, and listed, under their names in the other vocabulary too. */
export const aliasFlags = flagGroup('API', {
  kubernetesClientCompatibility: aliasFlag(
    'Group aliases: a group is also served under its Kubernetes name.',
  ),
  listAliasGroups: aliasFlag(
    'Listing of group aliases in discovery, after all other groups, if aliases are served.',
  ),
});

/**
 * Creates a flag that is on by default; under `kubernetes`, where groups have one name each, it is off, and refused
 * when set.
 */
function aliasFlag(what: string): Flag<boolean> {
  const hasAliases = vocabulary === 'cluster';
  const flag = booleanFlag({
    description: `${what} Refused with --api-names=kubernetes.`,
    default: hasAliases,
  });
  if (hasAliases) return flag;
  return {
    ...flag,
    parse() {
      throw new Error(`cannot be set with --api-names=${vocabulary}: groups have no aliases there`);
    },
  };
}
