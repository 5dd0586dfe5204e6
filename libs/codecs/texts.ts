/** Readers and writers of texts that know no types of the API: a program that needs no more starts without them. */

export { encodeYaml, encodeYamlSteps } from './encode-yaml.ts';
export { readWrittenJson, writeLongJson } from './json/long-json.ts';
export { writeStorableJson } from './stored-object.ts';
export { parseYaml, parseYamlAtOnce } from './yaml.ts';
