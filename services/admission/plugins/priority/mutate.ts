import type { Pod, PodSpec } from '@binnacle/api-types/core/v1';
import type { Mutation } from '../../chain/plugin.ts';
import type { Review } from '../../chain/review.ts';
import { forbidWrite, podToChange } from '../pods/pod-review.ts';
import type { PriorityClasses, PriorityClassView } from './priority-classes.ts';

/** The priority of pods where no class is the default one. */
const withoutClass: PriorityClassView = {
  name: '',
  value: 0,
  preemptionPolicy: 'PreemptLowerPriority',
  isGlobalDefault: false,
};

/** Gives a pod the priority of its class, or of the default class; an update keeps what it leaves out. */
export async function setPriority(review: Review, classes: PriorityClasses): Promise<Mutation> {
  const reviewed = podToChange(review);
  if (reviewed === undefined) return 'unchanged';
  const old: Partial<Pod> = review.oldObject ?? {};
  if (review.operation === 'UPDATE') return keepPriority(reviewed.spec, old.spec);
  const { spec } = reviewed;
  const name = spec.priorityClassName ?? '';
  const found =
    name === '' ? await classes.globalDefault(review.call) : await classes.find(name, review.call);
  if (found === undefined && name !== '')
    throw forbidWrite(review, `there is no PriorityClass named ${JSON.stringify(name)}`);
  assignClass(review, spec, found ?? withoutClass);
  return 'changed';
}

function assignClass(review: Review, spec: PodSpec, { name, value, preemptionPolicy }: PriorityClassView) {
  const { priority, preemptionPolicy: own } = spec;
  if (typeof priority === 'number' && priority !== value)
    throw forbidWrite(
      review,
      `priority ${priority} is not that of the pod's PriorityClass, which is ${value}; leave it to the server`,
    );
  if ((own ?? '') !== '' && preemptionPolicy !== '' && own !== preemptionPolicy)
    throw forbidWrite(
      review,
      `preemptionPolicy ${own ?? ''} is not that of the pod's PriorityClass, which is ${preemptionPolicy}; leave it to the server`,
    );
  if (name !== '') spec.priorityClassName = name;
  spec.priority = value;
  if (preemptionPolicy !== '') spec.preemptionPolicy = preemptionPolicy;
}

/** Keeps the two fields where an update leaves them out: clients that do not know them mean no change. */
function keepPriority(spec: PodSpec, old: PodSpec = {}): Mutation {
  let mutation: Mutation = 'unchanged';
  if (spec.priority === undefined && old.priority !== undefined) {
    spec.priority = old.priority;
    mutation = 'changed';
  }
  if (spec.preemptionPolicy === undefined && old.preemptionPolicy !== undefined) {
    spec.preemptionPolicy = old.preemptionPolicy;
    mutation = 'changed';
  }
  return mutation;
}
