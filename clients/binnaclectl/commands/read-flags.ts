import { integerFlag, switchFlag, textFlag } from '../arguments/flag.ts';
import { everyForm } from '../output/output-form.ts';
import { outputFlag } from './output-flag.ts';
import { templateFlags } from './template-flags.ts';

/** The flags of commands that write objects. */
export const writingFlags = {
  output: outputFlag(everyForm),
  ...templateFlags,
  noHeaders: switchFlag('no header line'),
  showLabels: switchFlag('labels as the last column'),
  showManagedFields: switchFlag('managed fields in JSON and YAML'),
};

/** The flags that select objects. */
export const selectionFlags = {
  selector: textFlag('label selector: tier=front,stage!=test', { short: 'l' }),
  fieldSelector: textFlag('field selector: metadata.name=settings'),
  allNamespaces: switchFlag('objects of all namespaces', { short: 'A' }),
};

/** The flag of reading long lists in pages. */
export const chunkFlags = {
  chunkSize: integerFlag('objects that one request reads; 0 for all at once (default 500)'),
};

/** The value of `--chunk-size` that is used without it. */
export const defaultChunkSize = 500;
