import type { KindRules } from '../definitions/kind-rules.ts';
import type { LimitRange, LimitRangeItem } from '../generated/core/v1.ts';
import { limitRangeErrors } from './limit-range-validation.ts';

/** The rules of LimitRange objects. */
export const limitRangeRules: KindRules<LimitRange> = {
  createOnUpdate: true,
  applyDefaults(object) {
    for (const item of object.spec?.limits ?? []) if (item.type === 'Container') applyContainerDefaults(item);
  },
  validate: limitRangeErrors,
};

/** Defaults the limits and requests of a container type from its maximum and minimum. */
function applyContainerDefaults(item: LimitRangeItem): void {
  fillIn(item, 'default', 'max');
  fillIn(item, 'defaultRequest', 'default');
  fillIn(item, 'defaultRequest', 'min');
}

function fillIn(
  item: LimitRangeItem,
  field: 'default' | 'defaultRequest',
  source: 'default' | 'max' | 'min',
): void {
  const amounts = item[source] ?? {};
  if (Object.keys(amounts).length > 0) item[field] = { ...amounts, ...item[field] };
}
