import { applyDefaults, type ResourceDefinition } from '@binnacle/api-types';
import type { Operation } from '@binnacle/proto';
import type { AdmissionMetrics, Stopwatch } from './admission-metrics.ts';
import { assertValid } from './assert-valid.ts';
import type { AdmissionPlugin, Mutation } from './plugin.ts';
import { isOfOwnKind, type Review } from './review.ts';

/**
 * Runs every step on a review, in order, and records in the review whether the object was changed. Returns no promise where no
 * step waits. Throws the refusal.
 */
export type AdmissionChain = (review: Review) => void | Promise<void>;

/** A plugin and the writes that it reviews. */
interface RunningPlugin {
  readonly plugin: AdmissionPlugin;
  /** Resources that it reviews, `group/resource` each; default: all. */
  readonly concerns?: readonly string[] | undefined;
  /** Default: all. */
  readonly operations?: readonly Operation[] | undefined;
}

/** One step of the chain; it returns a promise only where it waits for something, which most plugins rarely do. */
type Step = (review: Review) => void | Promise<void>;

/**
 * Builds the chain (spec 2, "States and transitions"): mutating plugins one after another, a second time if one of them
 * asks for it, then defaults, validation and warnings, then validating plugins.
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

/** Whether a plugin reviews writes of this type and operation: most plugins review few types. */
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

/** Runs all mutating plugins, and a second time when one asks for it: the plugins before it have not seen its change. */
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

/** Wraps a step so that its duration and its refusals are recorded. */
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

/** Fills in defaults of a changed object: it came complete, and only values added by plugins can lack them. */
function defaultingStep(review: Review): void {
  const { definition, object, isChanged } = review;
  if (isChanged && object !== undefined && isOfOwnKind(review))
    applyDefaults(definition, object, review.oldObject);
}

/** Validates the object. One that a subresource derives from another kind is validated where it is derived. */
function validationStep(review: Review): void | Promise<void> {
  if (!isOfOwnKind(review)) return;
  const checked = assertValid(review);
  return checked instanceof Promise ? checked.then(() => noteWarnings(review)) : noteWarnings(review);
}

/** The most warnings that an answer has room for. */
const mostWarnings = 250;

/** Adds the kind's warnings about an accepted object. Writes of subresources get none, since programs make them. */
function noteWarnings(review: Review): void {
  const { definition, object, subresource, warnings } = review;
  if (object === undefined || subresource !== '') return;
  const found = definition.rules.warnings?.(object, review.oldObject);
  if (found !== undefined) warnings.push(...found.slice(0, mostWarnings));
}
