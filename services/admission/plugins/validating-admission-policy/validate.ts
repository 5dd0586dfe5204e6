import { groups } from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { type Value, valueFromJson } from '@binnacle/cel';
import { forbidden, StatusError } from '@binnacle/status-errors';
import type { AdmissionMetrics } from '../../chain/admission-metrics.ts';
import type { AdmissionPlugin } from '../../chain/plugin.ts';
import { type Review, reviewedName } from '../../chain/review.ts';
import { policyNames } from '../../chain/shown-names.ts';
import { requestType } from '../../expressions/request-type.ts';
import { createAdmissionRequest, shownObjects } from '../webhooks/admission-review.ts';
import type { MatchingOptions } from '../webhooks/webhook-plugin-options.ts';
import {
  createPolicyBudget,
  evaluateValidations,
  type PolicyBudget,
  type Refusal,
} from './evaluate-validations.ts';
import { definitionMatched } from './matching.ts';
import { type FindParameter, ParameterMissing } from './parameters.ts';
import type { Binding, Policy, RefusalReason } from './policy.ts';
import type { BoundPolicy, PolicySource } from './policy-source.ts';

/** Options of evaluating policies. */
interface PolicyOptions extends MatchingOptions {
  /** Resolves once the policies are loaded. */
  readonly ready: (review: Review) => Promise<void> | undefined;
  readonly policies: PolicySource;
  readonly findParameter: FindParameter;
  readonly metrics: Pick<AdmissionMetrics, 'policyChecked'>;
}

/**
 * ValidatingAdmissionPolicy: evaluates every policy that is bound to a write, in order of the names of policies and
 * bindings, and refuses with the first validation that does not hold.
 */
export function createPolicyValidation(options: PolicyOptions): AdmissionPlugin {
  return {
    name: 'ValidatingAdmissionPolicy',
    validate(review) {
      if (isPolicy(review)) return;
      const waiting = options.ready(review);
      if (waiting === undefined && options.policies(review).length === 0) return;
      return applyAll(review, options, waiting);
    },
  };
}

async function applyAll(
  review: Review,
  options: PolicyOptions,
  waiting: Promise<void> | undefined,
): Promise<void> {
  await waiting;
  for (const bound of options.policies(review)) await apply(bound, review, options);
}

/** Whether the review is about a policy or binding: policies do not apply to them, so that a broken one can be removed. */
function isPolicy({ definition: { group, resource } }: Review): boolean {
  return (
    group === groups.admissionregistration &&
    (resource === 'validatingadmissionpolicies' || resource === 'validatingadmissionpolicybindings')
  );
}

async function apply(
  { policy, bindings }: BoundPolicy,
  review: Review,
  options: PolicyOptions,
): Promise<void> {
  const definition = await orRefusal('policy', review, () =>
    definitionMatched(policy.matching, review, options),
  );
  if (definition === undefined) return;
  if (isRefusal(definition)) {
    if (policy.failurePolicy === 'Fail') throw policyDenial(review, { policy: policy.name }, definition);
    return;
  }
  const visit: Visit = { policy, review, definition, budget: createPolicyBudget(), options };
  for (const binding of bindings) {
    const start = performance.now();
    const refusal = await evaluateBinding(binding, visit);
    if (refusal === 'not concerned') continue;
    options.metrics.policyChecked({
      policy: policy.name,
      binding: binding.name,
      seconds: (performance.now() - start) / 1000,
      denied: refusal !== undefined,
    });
    if (refusal !== undefined)
      throw policyDenial(review, { policy: policy.name, binding: binding.name }, refusal);
  }
}

/** The evaluation of one policy in one review that it matches. */
interface Visit {
  readonly policy: Policy;
  readonly review: Review;
  /** The version and group in which the resource is shown. */
  readonly definition: ResourceDefinition;
  readonly budget: PolicyBudget;
  readonly options: PolicyOptions;
  /** Values of the variables that all bindings share; undefined until the first binding is evaluated. */
  values?: readonly Value[];
}

/** Evaluates a policy for one binding; returns its refusal, undefined when it has none. */
async function evaluateBinding(
  binding: Binding,
  visit: Visit,
): Promise<Refusal | 'not concerned' | undefined> {
  const { policy, review, options } = visit;
  const prepared = await orRefusal('binding', review, async () => {
    const { matching } = binding;
    if (matching !== undefined && (await definitionMatched(matching, review, options)) === undefined)
      return undefined;
    visit.values ??= await createValues(visit);
    return [...visit.values, valueFromJson(await readParameter(binding, visit))];
  });
  if (prepared === undefined) return 'not concerned';
  if (isRefusal(prepared)) return policy.failurePolicy === 'Fail' ? prepared : undefined;
  return evaluateValidations(policy, prepared, visit.budget);
}

async function createValues({ policy, review, definition, options }: Visit): Promise<readonly Value[]> {
  const view = { definition, names: policyNames(policy.names, review) };
  const { object, oldObject } = await shownObjects(review, view, options.convert);
  const request = createAdmissionRequest(review, view);
  return [valueFromJson(object), valueFromJson(oldObject), valueFromJson(request, requestType)];
}

/** Reads the parameter object; null unless the policy has a parameter kind and the binding a reference. */
async function readParameter(
  { parameter }: Binding,
  { policy: { parameterKind, names }, review, options }: Visit,
): Promise<JsonObject | null> {
  if (parameterKind === undefined || parameter === undefined) return null;
  return options.findParameter(parameterKind, parameter, { names, call: review.call });
}

interface Failure extends Refusal {
  readonly isFailure: true;
}

function isRefusal(value: object): value is Failure {
  return 'isFailure' in value;
}

/** Runs a step of the evaluation; turns its failure into the refusal on which the failure policy decides. */
async function orRefusal<T>(
  what: 'policy' | 'binding',
  { call }: Review,
  work: () => Promise<T>,
): Promise<T | Failure> {
  try {
    return await work();
  } catch (thrown) {
    const isExpected = thrown instanceof ParameterMissing || thrown instanceof StatusError;
    if (!isExpected || call.signal.aborted) throw thrown;
    const message = `failed to configure ${what}: ${thrown.message}`;
    return { isFailure: true, reason: 'Invalid', message };
  }
}

const codes: Readonly<Record<RefusalReason, number>> = {
  Forbidden: 403,
  Invalid: 422,
  RequestEntityTooLarge: 413,
  Unauthorized: 401,
};

/** The refusing policy, and its binding where one was evaluated. */
interface Refusing {
  readonly policy: string;
  readonly binding?: string | undefined;
}

/** Creates the error of a write that a policy refuses: the message of Forbidden, with the reason of the validation and its code. */
function policyDenial(
  review: Review,
  { policy, binding }: Refusing,
  { reason, message }: Refusal,
): StatusError {
  const by = binding === undefined ? '' : ` with binding '${binding}'`;
  const why = `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message}`;
  const { message: whole, details } = forbidden(review.definition, reviewedName(review), why);
  return new StatusError({
    reason,
    code: codes[reason],
    message: whole,
    details: { ...details, causes: [{ message: why }] },
  });
}
