/** Load and heavy requests that tests send too. */

export { OpenLoad, type Sent } from './frozen/open-load.ts';
export { heavyRequests, heavyYamlTexts } from './heavy-bodies.ts';
