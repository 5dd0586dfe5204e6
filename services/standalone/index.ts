export { standaloneFlags } from './config.ts';
export { startFromFlags } from './start-standalone.ts';
