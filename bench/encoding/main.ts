import { printFigures } from './figures.ts';
import { measureDecoding, measureEncoding } from './measure-codec.ts';
import { measureDefinitions } from './measure-definitions.ts';

// The cost of the wire format and of reading definitions on one core, beside the limits.
const definitions = await measureDefinitions();
const figures = [
  { what: 'encode a pod as protobuf', unit: 'a second', target: 20_000, ...measureEncoding() },
  { what: 'decode a pod from protobuf', unit: 'a second', target: 10_000, ...measureDecoding() },
  { what: 'read all definitions', unit: 'ms', target: 300, ...definitions.read },
  { what: 'with the modules of all rules', unit: 'ms', ...definitions.all },
];
process.exitCode = printFigures(figures) ? 0 : 1;
