import type { Statement } from '../drivers/conformance-server.ts';

/** The statements of spec 1, "API levels". */
const levelStatements: readonly Statement[] = [
  { place: '1/API levels/Alpha 1', says: 'The names of alpha versions contain alpha.' },
  { place: '1/API levels/Alpha 2', says: 'Alpha versions are off until the configuration switches them on.' },
  {
    place: '1/API levels/Alpha 3',
    says: 'Alpha versions may be dropped or changed at any time.',
    untestable: 'it permits, and demands nothing of a server that runs',
  },
  { place: '1/API levels/Beta 1', says: 'The names of beta versions contain beta.' },
  { place: '1/API levels/Beta 2', says: 'Beta versions are off except those introduced before 1.22.' },
  {
    place: '1/API levels/Beta 3',
    says: 'Beta versions are deprecated, and then removed, after 9 months or 3 minor releases at most.',
  },
  {
    place: '1/API levels/Beta 4',
    says: 'The semantics of beta versions may change in a later version, with instructions.',
    untestable: 'it permits, and the instructions are a document',
  },
  { place: '1/API levels/Stable 1', says: 'Stable versions are called vX, X being an integer.' },
  { place: '1/API levels/Stable 2', says: 'Stable versions stay available within a major version.' },
];

/** The statements of spec 1, "Groups". */
const groupStatements: readonly Statement[] = [
  { place: '1/Groups/core', says: 'The core group is at /api/v1, its apiVersion is v1.' },
  {
    place: '1/Groups/named',
    says: 'Named groups are at /apis/{group}/{version}, which also is their apiVersion.',
  },
  { place: '1/Groups/--runtime-config pairs', says: '--runtime-config takes pairs, comma-separated.' },
  { place: '1/Groups/--runtime-config value', says: 'A value that is left out means true.' },
  { place: '1/Groups/--runtime-config disable', says: '{group}/{version}=false disables a version.' },
  { place: '1/Groups/--runtime-config enable', says: '{group}/{version} enables a version.' },
  {
    place: '1/Groups/--runtime-config resource',
    says: '{group}/{version}/{resource} enables one resource.',
  },
];

/** The statements of spec 1, "Deprecation rules". */
const deprecationRuleStatements: readonly Statement[] = [
  { place: '1/Deprecation rules/1', says: 'Elements of an API version are not removed from that version.' },
  { place: '1/Deprecation rules/2', says: 'Objects round-trip between versions without loss.' },
  { place: '1/Deprecation rules/3', says: 'A version is not deprecated in favour of a less stable one.' },
  {
    place: '1/Deprecation rules/4a',
    says: 'Stable versions may be deprecated but not removed within a major version.',
  },
  { place: '1/Deprecation rules/4b', says: 'A deprecated beta is served until the release named for it.' },
  {
    place: '1/Deprecation rules/4c',
    says: 'Alpha is removable without notice.',
    untestable: 'it permits, and demands nothing of a server that runs',
  },
  {
    place: '1/Deprecation rules/4d',
    says: 'The preferred and storage version advance only once both versions are supported.',
  },
  {
    place: '1/Deprecation rules/4e',
    says: 'Releases come about every 4 months.',
    untestable: 'it is about the calendar',
  },
  {
    place: '1/Deprecation rules/5',
    says: 'Command-line elements keep working for a time after they are deprecated.',
    untestable: 'it is about releases to come: no command-line element is deprecated except gates',
  },
  { place: '1/Deprecation rules/6', says: 'Deprecated command-line elements warn when used.' },
  { place: '1/Deprecation rules/7', says: 'Deprecated behaviours function for at least a year.' },
  { place: '1/Deprecation rules/8a', says: 'Alpha gates are off by default.' },
  { place: '1/Deprecation rules/8b', says: 'Beta gates are on by default.' },
  { place: '1/Deprecation rules/8c', says: 'Gates of generally available features do nothing.' },
  {
    place: '1/Deprecation rules/8d',
    says: 'Gates function for a time after they are deprecated.',
    untestable: 'it is about releases to come',
  },
  { place: '1/Deprecation rules/8e', says: 'Disabling a gate that does nothing fails.' },
  { place: '1/Deprecation rules/9a', says: 'Deprecated gates warn when used.' },
  { place: '1/Deprecation rules/9b', says: 'Deprecated gates are documented as such in the help text.' },
];

/** The statements of spec 1, "Removed versions". */
const removedVersionStatements: readonly Statement[] = [
  { place: '1/Removed versions/rbac v1beta1', says: 'Gone in 1.22; rbac v1 has the four kinds.' },
  { place: '1/Removed versions/scheduling v1beta1', says: 'Gone in 1.22; scheduling v1 has PriorityClass.' },
  { place: '1/Removed versions/storage v1beta1', says: 'Four kinds gone in 1.22; storage v1 has them.' },
  {
    place: '1/Removed versions/NetworkPolicy',
    says: 'Gone from extensions v1beta1 in 1.16; networking v1 has it.',
  },
  {
    place: '1/Removed versions/DaemonSet',
    says: 'Gone from extensions v1beta1 and apps v1beta2 in 1.16; apps v1 has it, with other defaults.',
  },
  {
    place: '1/Removed versions/Deployment',
    says: 'Gone from extensions v1beta1, apps v1beta1 and v1beta2 in 1.16; apps v1 has it, with other defaults.',
  },
  {
    place: '1/Removed versions/StatefulSet',
    says: 'Gone from apps v1beta1 and v1beta2 in 1.16; apps v1 has it, with other defaults.',
  },
  {
    place: '1/Removed versions/ReplicaSet',
    says: 'Gone from extensions v1beta1, apps v1beta1 and v1beta2 in 1.16; apps v1 has it, with another selector.',
  },
  {
    place: '1/Removed versions/PodSecurityPolicy',
    says: 'Gone from extensions v1beta1 in 1.16 and from policy v1beta1 in 1.25.',
  },
  {
    place: '1/Removed versions/--runtime-config',
    says: 'A server started without a version shows the effect of its removal.',
  },
];

/** The statements of spec 1, "Versioning". */
export const versioningStatements: readonly Statement[] = [
  ...levelStatements,
  ...groupStatements,
  ...deprecationRuleStatements,
  ...removedVersionStatements,
];
