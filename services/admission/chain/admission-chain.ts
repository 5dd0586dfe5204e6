import { applyDefaults, type ResourceDefinition } from '@binnacle/api-types';
import type { Operation } from '@binnacle/proto';
import type { AdmissionMetrics, Stopwatch } from './admission-metrics.ts';
import { assertValid } from './assert-valid.ts';
import type { AdmissionPlugin, Mutation } from './plugin.ts';
import { isOfOwnKind, type Review } from './review.ts';

/**
 * Takes a review through every step, in order, and notes in it whether the object was changed; without a promise where no step
 * waits. Throws the refusal.
 */
export type AdmissionChain = (review: Review) => void | Promise<void>;

/** A plugin with the writes that it looks at. */
interface RunningPlugin {
  readonly plugin: AdmissionPlugin;
  /** `group/resource` each; default: all. */
  readonly concerns?: readonly string[] | undefined;
  /** Default: all. */
  readonly operations?: readonly Operation[] | undefined;
}

/** Answers without a promise where there is nothing to wait for, as most plugins do most of the time. */
type Step = (review: Review) => void | Promise<void>;

/**
 * Builds the chain (spec 2, "States and transitions"): mutating plugins one after another, once more if one of them asks
 * for it, then defaults, validation and warnings, then validating plugins.
 */
export function createAdmissionChain(
  plugins: readonly RunningPlugin[],
  metrics: AdmissionMetrics,
): AdmissionChain {
  const chains = new WeakMap<ResourceDefinition, Map<Operation, AdmissionChain>>();
  return review => {
    const { definition, operation } = review;
    let byOperation = chains.get(definition);
    if (byOperation === undefined) {
      byOperation = new Map();
      chains.set(definition, byOperation);
    }
    let chain = byOperation.get(operation);
    if (chain === undefined) {
      const concerned = plugins.filter(plugin => isConcerned(plugin, definition, operation));
      chain = createChain(
        concerned.map(({ plugin }) => plugin),
        operation,
        metrics,
      );
      byOperation.set(operation, chain);
    }
    return chain(review);
  };
}

/** Only plugins that a type and operation concern run for them: most have nothing to say to most writes. */
function isConcerned(
  { concerns, operations }: RunningPlugin,
  { group, resource }: ResourceDefinition,
  operation: Operation,
): boolean {
  return (concerns?.includes(`${group}/${resource}`) ?? true) && (operations?.includes(operation) ?? true);
}

function createChain(
  plugins: readonly AdmissionPlugin[],
  operation: Operation,
  metrics: AdmissionMetrics,
): AdmissionChain {
  const mutating = plugins.flatMap(plugin =>
    plugin.mutate === undefined
      ? []
      : [timed(mutatingStep(plugin), metrics.plugin(plugin.name, 'admit', operation))],
  );
  const validating = plugins.flatMap(plugin =>
    plugin.validate === undefined
      ? []
      : [timed(review => plugin.validate?.(review), metrics.plugin(plugin.name, 'validate', operation))],
  );
  const steps = [
    timed(review => runWithReinvocation(mutating, review), metrics.phase('admit', operation)),
    defaultingStep,
    validationStep,
    timed(review => runAll(validating, review), metrics.phase('validate', operation)),
  ];
  return review => runAll(steps, review);
}

function runAll(steps: readonly Step[], review: Review): void | Promise<void> {
  for (let i = 0; i < steps.length; i++) {
    const waiting = steps[i]!(review); // within
    if (waiting instanceof Promise) return runRemaining(waiting, steps.slice(i + 1), review);
  }
}

async function runRemaining(waiting: Promise<void>, steps: readonly Step[], review: Review): Promise<void> {
  await waiting;
  for (const step of steps) {
    const next = step(review);
    if (next instanceof Promise) await next;
  }
}

/** A plugin that changes the object may ask for one more run of all of them: those before it have not seen its change. */
function runWithReinvocation(mutating: readonly Step[], review: Review): void | Promise<void> {
  const first = runAll(mutating, review);
  return first instanceof Promise ? first.then(() => reinvoke(mutating, review)) : reinvoke(mutating, review);
}

function reinvoke(mutating: readonly Step[], review: Review): void | Promise<void> {
  if (!review.shouldReinvoke) return;
  review.isReinvocation = true;
  return runAll(mutating, review);
}

function mutatingStep(plugin: AdmissionPlugin): Step {
  return review => {
    const mutation = plugin.mutate?.(review);
    return mutation instanceof Promise
      ? mutation.then(made => noteMutation(review, made))
      : noteMutation(review, mutation);
  };
}

function noteMutation(review: Review, mutation: Mutation | undefined): void {
  if (mutation === 'changed') review.isChanged = true;
}

/** A step that notes how long it took, and whether it refused the write. */
function timed(step: Step, stopwatch: Stopwatch): Step {
  return review => {
    const start = performance.now();
    let running: void | Promise<void>;
    try {
      running = step(review);
    } catch (thrown) {
      stopwatch.note((performance.now() - start) / 1000, true);
      throw thrown;
    }
    if (running instanceof Promise)
      running.then(
        () => stopwatch.note((performance.now() - start) / 1000, false),
        () => stopwatch.note((performance.now() - start) / 1000, true),
      );
    else stopwatch.note((performance.now() - start) / 1000, false);
    return running;
  };
}

/** Objects come with their defaults; only what a plugin put in can lack them. */
function defaultingStep(review: Review): void {
  const { definition, object, isChanged } = review;
  if (isChanged && object !== undefined && isOfOwnKind(review))
    applyDefaults(definition, object, review.oldObject);
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
function noteWarnings(review: Review): void {
  const { definition, object, subresource, warnings } = review;
  if (object === undefined || subresource !== '') return;
  const found = definition.rules.warnings?.(object, review.oldObject);
  if (found !== undefined) warnings.push(...found.slice(0, mostWarnings));
}
