import { applyDefaults, type ResourceDefinition } from '@binnacle/api-types';
import type { AdmissionMetrics } from './admission-metrics.ts';
import { assertValid } from './assert-valid.ts';
import type { AdmissionPlugin } from './plugin.ts';
import { isOfOwnKind, type Review } from './review.ts';

/** Takes a review through every step, in order; answers whether the object was changed. Throws the refusal. */
export type AdmissionChain = (review: Review) => Promise<boolean>;

/** A plugin with the resources that it looks at. */
interface RunningPlugin {
  readonly plugin: AdmissionPlugin;
  /** `group/resource` each; default: all. */
  readonly concerns?: readonly string[] | undefined;
}

type Step = (review: Review, state: { changed: boolean }) => Promise<void>;

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
    await runAll(steps, review, state);
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

async function runAll(steps: readonly Step[], review: Review, state: { changed: boolean }): Promise<void> {
  for (const step of steps) await step(review, state);
}

/** A plugin that changes the object may ask for one more run of all of them: those before it have not seen its change. */
async function runWithReinvocation(
  mutating: readonly Step[],
  review: Review,
  state: { changed: boolean },
): Promise<void> {
  await runAll(mutating, review, state);
  if (!review.shouldReinvoke) return;
  review.isReinvocation = true;
  await runAll(mutating, review, state);
}

function mutatingStep(plugin: AdmissionPlugin, metrics: AdmissionMetrics): Step[] {
  if (plugin.mutate === undefined) return [];
  return [
    async (review, state) => {
      const mutation = await metrics.measure({ name: plugin.name, type: 'admit', review }, async () =>
        plugin.mutate?.(review),
      );
      if (mutation === 'changed') state.changed = true;
    },
  ];
}

function validatingStep(plugin: AdmissionPlugin, metrics: AdmissionMetrics): Step[] {
  if (plugin.validate === undefined) return [];
  return [
    review =>
      metrics.measure({ name: plugin.name, type: 'validate', review }, async () => plugin.validate?.(review)),
  ];
}

/** Objects come with their defaults; only what a plugin put in can lack them. */
async function defaultingStep(review: Review, { changed }: { changed: boolean }): Promise<void> {
  const { definition, object, oldObject } = review;
  if (changed && object !== undefined && isOfOwnKind(review)) applyDefaults(definition, object, oldObject);
}

/** An object that a subresource derives from one of another kind is validated where it is derived. */
async function validationStep(review: Review): Promise<void> {
  if (!isOfOwnKind(review)) return;
  const checked = assertValid(review);
  if (checked instanceof Promise) await checked;
  noteWarnings(review);
}

/** As many warnings as an answer can have room for. */
const mostWarnings = 250;

/** Adds the warnings of the kind about an object that is accepted. Writes of subresources get none: programs make them. */
function noteWarnings({ definition, object, oldObject, subresource, warnings }: Review): void {
  if (object === undefined || subresource !== '') return;
  const found = definition.rules.warnings?.(object, oldObject) ?? [];
  warnings.push(...found.slice(0, mostWarnings));
}
