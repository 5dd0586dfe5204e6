import type { CallContext } from '@binnacle/proto';
import { internalError, StatusError } from '@binnacle/status-errors';
import type { User } from '../request/api-request.ts';
import { mastersGroup } from '../request/users.ts';
import { type Access, type Authorizer, allRules, type Decision, type UserRules } from './authorizer.ts';

const allowedToMasters: Decision = { verdict: 'allowed', reason: '' };

/**
 * Several authorizers as one (`--authorization-mode`): members of `system:masters` may do everything, whatever
 * authorizers say; for others the first verdict that is not `noOpinion` decides. An authorizer that fails has no
 * opinion, and its error counts when no other one decides.
 */
export function createUnionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize(user, access, call) {
      if (user.groups.includes(mastersGroup)) return allowedToMasters;
      return decide(authorizers, { user, access, call });
    },
    rulesFor(user, namespace) {
      // Members of system:masters too: the review lists the rules of their roles.
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

interface Question {
  readonly user: User;
  readonly access: Access;
  readonly call: CallContext;
}

/** The answers of authorizers that have no opinion. */
interface Abstentions {
  readonly reasons: string[];
  readonly errors: StatusError[];
}

/**
 * The first verdict of authorizers, from one of them on; `abstentions` holds the answers of those before it. After an
 * authorizer that returns a promise, later ones are called when it has resolved.
 */
function decide(
  authorizers: readonly Authorizer[],
  question: Question,
  abstentions: Abstentions = { reasons: [], errors: [] },
  from = 0,
): Decision | Promise<Decision> {
  for (let index = from; index < authorizers.length; index++) {
    const decision = callAuthorizer(authorizers[index]!, question); // below the length
    if (decision instanceof Promise)
      return decision.then(made =>
        decides(made, abstentions) ? made : decide(authorizers, question, abstentions, index + 1),
      );
    if (decides(decision, abstentions)) return decision;
  }
  const error = joinErrors(abstentions.errors);
  return { verdict: 'noOpinion', reason: abstentions.reasons.join('\n'), ...(error && { error }) };
}

/** Whether a decision is final; the reason and error of one without an opinion are kept. */
function decides({ verdict, reason, error }: Decision, { reasons, errors }: Abstentions): boolean {
  if (verdict !== 'noOpinion') return true;
  if (reason !== '') reasons.push(reason);
  if (error !== undefined) errors.push(error);
  return false;
}

function callAuthorizer(
  authorizer: Authorizer,
  { user, access, call }: Question,
): Decision | Promise<Decision> {
  try {
    const decision = authorizer.authorize(user, access, call);
    return decision instanceof Promise ? decision.catch(failedDecision) : decision;
  } catch (error) {
    return failedDecision(error);
  }
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

/** The message of a defect is not for clients: it is the cause, which is logged. */
function asStatusError(error: unknown): StatusError {
  return error instanceof StatusError ? error : internalError('an authorizer failed', error);
}

function joinErrors(errors: readonly StatusError[]): StatusError | undefined {
  if (errors.length < 2) return errors[0];
  return internalError(joinMessages(errors.map(({ message }) => message)), new AggregateError(errors));
}

/** Messages as kube-apiserver joins them: in brackets when there are several. */
function joinMessages(messages: readonly string[]): string {
  const texts = messages.filter(message => message !== '');
  return texts.length < 2 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}
