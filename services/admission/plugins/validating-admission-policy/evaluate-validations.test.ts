import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costBudgets, valueFromJson } from '@binnacle/cel';
import { createPolicyBudget, evaluateValidations } from './evaluate-validations.ts';
import { policyFrom } from './policy.ts';

const createPolicy = (failurePolicy: 'Fail' | 'Ignore', ...expressions: readonly string[]) =>
  policyFrom({
    apiVersion: 'admissionregistration.cluster.io/v1alpha1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: { failurePolicy, validations: expressions.map(expression => ({ expression })) },
  });

const numbers = Array.from({ length: 50 }, (_, index) => index);
const values = [valueFromJson({ numbers }), null, valueFromJson({}), null];
/** A large part, but not all, of what one expression may cost at that many numbers. */
const dear = 'object.numbers.all(a, object.numbers.all(b, object.numbers.all(c, true)))';

test('all expressions of a policy share a cost budget per review', () => {
  const budget = createPolicyBudget();
  const policy = createPolicy('Fail', dear);
  assert.equal(evaluateValidations(policy, values, budget), undefined);
  const cost = costBudgets.object - budget.left;
  assert.ok(cost > 0 && cost < costBudgets.call, String(cost));
  const often = Math.floor(budget.left / cost);
  for (let time = 0; time < often; time++)
    assert.equal(evaluateValidations(policy, values, budget), undefined);
  const refusal = evaluateValidations(policy, values, budget);
  assert.match(refusal?.message ?? '', /exceed their common cost budget/);
  assert.equal(evaluateValidations(createPolicy('Ignore', dear), values, budget), undefined);
  assert.equal(evaluateValidations(policy, values, createPolicyBudget()), undefined);
});

test('a stored expression that does not compile is subject to the failure policy', () => {
  for (const text of ['object.', 'params == null', '1', '"a".matches("(")']) {
    const refusal = evaluateValidations(createPolicy('Fail', text), values, createPolicyBudget());
    assert.equal(refusal?.reason, 'Invalid', text);
    assert.match(refusal?.message ?? '', /^the expression .* failed: /, text);
    assert.equal(evaluateValidations(createPolicy('Ignore', text), values, createPolicyBudget()), undefined);
  }
});

test('an ignored failure does not prevent a refusal by a later validation', () => {
  const refusal = evaluateValidations(
    createPolicy('Ignore', 'object.none', 'false'),
    values,
    createPolicyBudget(),
  );
  assert.deepEqual(refusal, { reason: 'Invalid', message: 'failed expression: false' });
});
