import type { KindRules } from '../definitions.ts';
import { defaultCells, defaultColumns } from '../printing/columns.ts';

/** The rules of CustomResourceDefinition objects. */
export const customResourceDefinitionRules: KindRules = {
  generation: true,
  returnsDeletedObject: true,
  columns: defaultColumns,
  cells: defaultCells,
};
