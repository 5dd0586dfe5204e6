import { groups } from '@binnacle/api-names';
import type { PriorityClass } from '@binnacle/api-types/scheduling/v1';
import type { Review } from '../../chain/review.ts';
import { forbidWrite } from '../pods/pod-review.ts';
import type { PriorityClasses } from './priority-classes.ts';

/** Asserts that there is no other default class. */
export async function assertOneGlobalDefault(review: Review, classes: PriorityClasses): Promise<void> {
  const { definition, operation, object, oldObject, subresource, call } = review;
  if (definition.group !== groups.scheduling || definition.resource !== 'priorityclasses') return;
  if (subresource !== '' || object === undefined) return;
  const { globalDefault, metadata }: PriorityClass = object;
  if (globalDefault !== true) return;
  const old: PriorityClass | undefined = oldObject;
  if (old?.globalDefault === true) return;
  const current = await classes.globalDefault(call);
  if (current === undefined) return;
  if (operation === 'CREATE' || current.name !== metadata.name)
    throw forbidWrite(
      review,
      `PriorityClass ${current.name} is the default one already; there can be one only`,
    );
}
