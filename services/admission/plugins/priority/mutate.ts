import type { JsonObject } from '@binnacle/api-objects';
import { asObject, asText } from '@binnacle/api-types';
import type { Mutation } from '../../chain/plugin.ts';
import type { Review } from '../../chain/review.ts';
import { forbidWrite, podUnderReview } from '../pods/pod-review.ts';
import type { PriorityClasses, PriorityClassView } from './priority-classes.ts';

/** What pods get where no class is the default one. */
const withoutClass: PriorityClassView = {
  name: '',
  value: 0,
  preemptionPolicy: 'PreemptLowerPriority',
  isGlobalDefault: false,
};

/** Gives a pod the priority of its class, or of the default class; an update keeps what it leaves out. */
export async function setPriority(review: Review, classes: PriorityClasses): Promise<Mutation> {
  const reviewed = podUnderReview(review);
  if (reviewed === undefined) return 'unchanged';
  if (review.operation === 'UPDATE') return keepPriority(reviewed.spec, asObject(review.oldObject?.['spec']));
  const { spec } = reviewed;
  const name = asText(spec['priorityClassName']);
  const found =
    name === '' ? await classes.globalDefault(review.call) : await classes.find(name, review.call);
  if (found === undefined && name !== '')
    throw forbidWrite(review, `there is no PriorityClass named ${JSON.stringify(name)}`);
  assignClass(review, spec, found ?? withoutClass);
  return 'changed';
}

function assignClass(review: Review, spec: JsonObject, { name, value, preemptionPolicy }: PriorityClassView) {
  const { priority, preemptionPolicy: own } = spec;
  if (typeof priority === 'number' && priority !== value)
    throw forbidWrite(
      review,
      `priority ${priority} is not that of the pod's PriorityClass, which is ${value}; leave it to the server`,
    );
  if (asText(own) !== '' && preemptionPolicy !== '' && own !== preemptionPolicy)
    throw forbidWrite(
      review,
      `preemptionPolicy ${asText(own)} is not that of the pod's PriorityClass, which is ${preemptionPolicy}; leave it to the server`,
    );
  if (name !== '') spec['priorityClassName'] = name;
  spec['priority'] = value;
  if (preemptionPolicy !== '') spec['preemptionPolicy'] = preemptionPolicy;
}

/** Clients that do not know the two fields leave them out; what they mean is no change. */
function keepPriority(spec: JsonObject, old: JsonObject = {}): Mutation {
  let mutation: Mutation = 'unchanged';
  for (const field of ['priority', 'preemptionPolicy']) {
    const before = old[field] ?? null;
    if (before === null || (spec[field] ?? null) !== null) continue;
    spec[field] = before;
    mutation = 'changed';
  }
  return mutation;
}
