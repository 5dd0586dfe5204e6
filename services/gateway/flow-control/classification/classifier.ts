import { BoundedMap } from '@binnacle/event-loop';
import type { User } from '../../request/api-request.ts';
import type { RequestTarget } from '../../request/request-target.ts';
import type { FlowRule, FlowSchema } from './flow-schema.ts';
import { concernsUser, matchesTarget } from './matches-rule.ts';

/** The flow that a request belongs to. */
interface Classification {
  readonly schema: FlowSchema;
  /** The part that tells the flows of the schema apart: a username, a namespace, or "". */
  readonly distinguisher: string;
}

/** Classifies requests by a set of schemas. */
export interface Classifier {
  /** Undefined when nothing matches, which the mandatory schemas rule out. */
  classify(user: User, target: RequestTarget): Classification | undefined;
}

/** The rules that concern one user, in matching order. */
type UserRules = readonly { readonly schema: FlowSchema; readonly rules: readonly FlowRule[] }[];

/** Users whose rules are kept. */
const maxUsers = 2048;

/** Creates a classifier over schemas in matching order. The rules that concern a user are selected once. */
export function createClassifier(schemas: readonly FlowSchema[]): Classifier {
  const byUser = new BoundedMap<string, UserRules>(maxUsers);
  const findRules = (user: User): UserRules => {
    const key = `${user.username}\n${user.groups.join('\n')}`;
    const found = byUser.get(key);
    if (found !== undefined) return found;
    const selected = schemas
      .map(schema => ({ schema, rules: schema.rules.filter(rule => concernsUser(rule, user)) }))
      .filter(({ rules }) => rules.length > 0);
    byUser.set(key, selected);
    return selected;
  };
  return {
    classify(user, target) {
      for (const { schema, rules } of findRules(user)) {
        for (const rule of rules) {
          if (matchesTarget(rule, target))
            return { schema, distinguisher: findDistinguisher(schema, user, target) };
        }
      }
      return undefined;
    },
  };
}

function findDistinguisher({ distinguisher }: FlowSchema, user: User, target: RequestTarget): string {
  switch (distinguisher) {
    case 'ByUser':
      return user.username;
    case 'ByNamespace':
      return target.kind === 'resource' ? target.namespace : '';
    case undefined:
      return '';
  }
}
