import type { KindRules } from '../definitions/kind-rules.ts';
import type { Scale } from '../generated/autoscaling/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';

/** The columns and cells of Scale objects, shared by all kinds with a scale subresource. */
export const scaleTable: Required<Pick<KindRules<Scale>, 'columns' | 'cells'>> = {
  columns: [
    nameColumn,
    column('Desired', 'How many replicas the object is to have.', { type: 'integer' }),
    column('Available', 'How many replicas the object was last seen to have.', { type: 'integer' }),
    ageColumn,
  ],
  cells: (scale, now) => [
    nameCell(scale),
    scale.spec?.replicas ?? 0,
    scale.status?.replicas ?? 0,
    ageCell(scale, now),
  ],
};
