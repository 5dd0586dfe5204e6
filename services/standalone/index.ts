export { standaloneFlags } from './config.ts';
