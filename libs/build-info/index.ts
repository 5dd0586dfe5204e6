export { versionInfo, versionLine } from './version-info.ts';
