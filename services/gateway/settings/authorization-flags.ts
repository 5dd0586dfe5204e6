import { groups } from '@binnacle/api-names';
import { choiceFlag, durationFlag, type Flag, flagGroup, listFlag, stringFlag } from '@binnacle/flags';

const modes = ['RBAC', 'ABAC', 'Webhook', 'Node', 'AlwaysAllow', 'AlwaysDeny'] as const;

/** An authorizer, by its name in `--authorization-mode`. */
export type AuthorizationMode = (typeof modes)[number];

/**
 * The flags of the authorization modes, and of the lifetimes of cached webhook decisions; part of the settings of a
 * gateway.
 */
export const authorizationFlags = flagGroup('Authorization', {
  authorizationMode: modesFlag(
    'Authorizers, asked in this order: RBAC (roles), ABAC (--authorization-policy-file), Webhook (--authorization-webhook-config-file), Node (node agents), AlwaysAllow, AlwaysDeny.',
  ),
  authorizationWebhookVersion: choiceFlag(['v1beta1', 'v1'], {
    description: `Version of ${groups.authorization} of the SubjectAccessReviews sent to the webhook.`,
    default: 'v1beta1',
  }),
  authorizationWebhookCacheAuthorizedTtl: durationFlag({
    description:
      'Time for which a decision of the authorization webhook that allows is cached; 0 disables the cache.',
    default: 300_000,
  }),
  authorizationWebhookCacheUnauthorizedTtl: durationFlag({
    description:
      'Time for which a decision of the authorization webhook that does not allow is cached; 0 disables the cache.',
    default: 30_000,
  }),
});

/** The files of authorizers; they are read once, at start. */
export const authorizationFileFlags = flagGroup('Authorization', {
  authorizationPolicyFile: stringFlag({
    description: 'File of the policies of the mode ABAC, one JSON object a line.',
  }),
  authorizationWebhookConfigFile: stringFlag({
    description: 'Client configuration file that names the webhook of the mode Webhook and its credentials.',
  }),
});

/**
 * Whether an authorizer lets every request through, which switches anonymous requests off by default (spec 2, "Anonymous
 * requests"). As in kube-apiserver it is enough that AlwaysAllow is among the modes.
 */
export function allowsEverything(chosen: readonly AuthorizationMode[]): boolean {
  return chosen.includes('AlwaysAllow');
}

function modesFlag(description: string): Flag<readonly AuthorizationMode[]> {
  const list = listFlag({ description, default: ['RBAC'] });
  return { ...list, placeholder: `${modes.join('|')},...`, defaultValue: ['RBAC'], parse: parseModes(list) };
}

function parseModes({ parse }: Flag<readonly string[]>) {
  return (texts: readonly string[]): readonly AuthorizationMode[] => {
    const chosen = new Set<AuthorizationMode>();
    for (const name of parse(texts)) {
      const mode = modes.find(candidate => candidate === name);
      if (mode === undefined)
        throw new Error(`${name} is not an authorization mode; the modes are ${modes.join(', ')}`);
      if (chosen.has(mode)) throw new Error(`${name} is given more than once`);
      chosen.add(mode);
    }
    if (chosen.size === 0) throw new Error(`at least one of ${modes.join(', ')} is needed`);
    return [...chosen];
  };
}
