import { applyDefaults, type ResourceDefinition } from '@binnacle/api-types';
import type { AdmissionMetrics } from './admission-metrics.ts';
import { assertValid } from './assert-valid.ts';
import type { AdmissionPlugin, Mutation } from './plugin.ts';
import { isOfOwnKind, type Review } from './review.ts';

/** Takes a review through every step, in order; answers whether the object was changed. Throws the refusal. */
export type AdmissionChain = (review: Review) => Promise<boolean>;

/** A plugin with the resources that it looks at. */
interface RunningPlugin {
  readonly plugin: AdmissionPlugin;
  /** `group/resource` each; default: all. */
  readonly concerns?: readonly string[] | undefined;
}

interface State {
  changed: boolean;
}
/** Answers without a promise where there is nothing to wait for, as most plugins do most of the time. */
type Step = (review: Review, state: State) => void | Promise<void>;

/**
 * Builds the chain (spec 2, "States and transitions"): mutating plugins one after another, once more if one of them asks
 * for it, then defaults, validation and warnings, then validating plugins.
 */
export function createAdmissionChain(
  plugins: readonly RunningPlugin[],
  metrics: AdmissionMetrics,
): AdmissionChain {
  const chains = new WeakMap<ResourceDefinition, readonly Step[]>();
  return async review => {
    const { definition } = review;
    let steps = chains.get(definition);
    if (steps === undefined) {
      steps = stepsFor(definition, plugins, metrics);
      chains.set(definition, steps);
    }
    const state = { changed: false };
    const running = runAll(steps, review, state);
    if (running instanceof Promise) await running;
    return state.changed;
  };
}

/** Only plugins that a resource concerns are asked about it: most have nothing to say to most writes. */
function stepsFor(
  { group, resource }: ResourceDefinition,
  plugins: readonly RunningPlugin[],
  metrics: AdmissionMetrics,
): readonly Step[] {
  const concerned = plugins
    .filter(({ concerns }) => concerns?.includes(`${group}/${resource}`) ?? true)
    .map(({ plugin }) => plugin);
  const mutating = concerned.flatMap(plugin => mutatingStep(plugin, metrics));
  const validating = concerned.flatMap(plugin => validatingStep(plugin, metrics));
  return [
    (review, state) =>
      metrics.measurePhase('admit', review, () => runWithReinvocation(mutating, review, state)),
    defaultingStep,
    validationStep,
    (review, state) => metrics.measurePhase('validate', review, () => runAll(validating, review, state)),
  ];
}

function runAll(steps: readonly Step[], review: Review, state: State): void | Promise<void> {
  for (let i = 0; i < steps.length; i++) {
    const waiting = steps[i]!(review, state); // within
    if (waiting instanceof Promise) return runRest(waiting, steps.slice(i + 1), { review, state });
  }
}

async function runRest(
  waiting: Promise<void>,
  steps: readonly Step[],
  { review, state }: { readonly review: Review; readonly state: State },
): Promise<void> {
  await waiting;
  for (const step of steps) {
    const next = step(review, state);
    if (next instanceof Promise) await next;
  }
}

/** A plugin that changes the object may ask for one more run of all of them: those before it have not seen its change. */
function runWithReinvocation(mutating: readonly Step[], review: Review, state: State): void | Promise<void> {
  const runAgain = () => {
    if (!review.shouldReinvoke) return;
    review.isReinvocation = true;
    return runAll(mutating, review, state);
  };
  const first = runAll(mutating, review, state);
  return first instanceof Promise ? first.then(runAgain) : runAgain();
}

function mutatingStep(plugin: AdmissionPlugin, metrics: AdmissionMetrics): Step[] {
  if (plugin.mutate === undefined) return [];
  const note = (state: State, mutation: Mutation | undefined) => {
    if (mutation === 'changed') state.changed = true;
  };
  return [
    (review, state) => {
      const mutation = metrics.measure({ name: plugin.name, type: 'admit', review }, () =>
        plugin.mutate?.(review),
      );
      return mutation instanceof Promise ? mutation.then(made => note(state, made)) : note(state, mutation);
    },
  ];
}

function validatingStep(plugin: AdmissionPlugin, metrics: AdmissionMetrics): Step[] {
  if (plugin.validate === undefined) return [];
  return [
    review =>
      metrics.measure({ name: plugin.name, type: 'validate', review }, () => plugin.validate?.(review)),
  ];
}

/** Objects come with their defaults; only what a plugin put in can lack them. */
function defaultingStep(review: Review, { changed }: State): void {
  const { definition, object, oldObject } = review;
  if (changed && object !== undefined && isOfOwnKind(review)) applyDefaults(definition, object, oldObject);
}

/** An object that a subresource derives from one of another kind is validated where it is derived. */
function validationStep(review: Review): void | Promise<void> {
  if (!isOfOwnKind(review)) return;
  const checked = assertValid(review);
  return checked instanceof Promise ? checked.then(() => noteWarnings(review)) : noteWarnings(review);
}

/** As many warnings as an answer can have room for. */
const mostWarnings = 250;

/** Adds the warnings of the kind about an object that is accepted. Writes of subresources get none: programs make them. */
function noteWarnings({ definition, object, oldObject, subresource, warnings }: Review): void {
  if (object === undefined || subresource !== '') return;
  const found = definition.rules.warnings?.(object, oldObject) ?? [];
  warnings.push(...found.slice(0, mostWarnings));
}
