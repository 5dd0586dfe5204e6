export { ownBuild, release, versionInfo, versionLine } from './version-info.ts';
