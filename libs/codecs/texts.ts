/** What reads and writes texts and knows no types of the API: a program that needs no more starts in half the time. */

export { encodeYaml, encodeYamlSteps } from './encode-yaml.ts';
export { readWrittenJson, writeLongJson } from './json/long-json.ts';
export { parseYaml, parseYamlAtOnce } from './yaml.ts';
