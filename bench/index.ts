export { OpenLoad, type OpenLoadOptions, type Sent } from './frozen/open-load.ts';
export * from './heavy-bodies.ts';
