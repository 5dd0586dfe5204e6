import { internalError, StatusError } from '@binnacle/status-errors';
import { mastersGroup } from '../request/users.ts';
import type { Authorizer, Decision, UserRules } from './authorizer.ts';
import { allRules } from './policy-rule.ts';

const allowedToMasters: Decision = { verdict: 'allowed', reason: '' };

/**
 * Several authorizers as one (`--authorization-mode`): members of `system:masters` may do everything, whatever authorizers
 * say; for others the first verdict that is not `noOpinion` decides. An authorizer that fails has no opinion, and what
 * failed counts when no other one decides.
 */
export function createUnionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return {
    async authorize(user, access, call) {
      if (user.groups.includes(mastersGroup)) return allowedToMasters;
      const reasons: string[] = [];
      const errors: StatusError[] = [];
      for (const authorizer of authorizers) {
        const decision = await authorizer.authorize(user, access, call).catch(failedDecision);
        if (decision.verdict !== 'noOpinion') return decision;
        if (decision.reason !== '') reasons.push(decision.reason);
        if (decision.error !== undefined) errors.push(decision.error);
      }
      const error = joinErrors(errors);
      return { verdict: 'noOpinion', reason: reasons.join('\n'), ...(error && { error }) };
    },
    rulesFor(user, namespace) {
      // Members of system:masters too: what they hold by their group is shown as what their roles say.
      const found = authorizers.map(authorizer => listRules(() => authorizer.rulesFor(user, namespace)));
      return {
        rules: found.flatMap(({ rules }) => rules),
        incomplete: found.some(({ incomplete }) => incomplete),
        evaluationError: joinMessages(found.map(({ evaluationError }) => evaluationError)),
      };
    },
    boundRules(user, namespace) {
      if (user.groups.includes(mastersGroup)) return allRules;
      return authorizers.flatMap(authorizer => authorizer.boundRules(user, namespace));
    },
  };
}

function failedDecision(error: unknown): Decision {
  return { verdict: 'noOpinion', reason: '', error: asStatusError(error) };
}

function listRules(list: () => UserRules): UserRules {
  try {
    return list();
  } catch (error) {
    return { rules: [], incomplete: true, evaluationError: asStatusError(error).message };
  }
}

/** What a defect is about is not for clients: it is the cause, which is logged. */
function asStatusError(error: unknown): StatusError {
  return error instanceof StatusError ? error : internalError('an authorizer failed', error);
}

function joinErrors(errors: readonly StatusError[]): StatusError | undefined {
  if (errors.length < 2) return errors[0];
  return internalError(joinMessages(errors.map(({ message }) => message)), new AggregateError(errors));
}

/** Messages as kube-apiserver joins them: in brackets when there are several. */
function joinMessages(messages: readonly string[]): string {
  const said = messages.filter(message => message !== '');
  return said.length < 2 ? (said[0] ?? '') : `[${said.join(', ')}]`;
}
