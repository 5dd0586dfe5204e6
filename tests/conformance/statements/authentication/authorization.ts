import type { Statement } from '../../drivers/conformance-server.ts';

/** 2, "Authorization", "Webhook server authentication by the API server", and "Events" as far as audit shows them. */
export const authorizationStatements: readonly Statement[] = [
  {
    place: '2/Authorization/a',
    says: 'Role-based rules have apiGroups, resources, verbs and optional resourceNames.',
  },
  {
    place: '2/Authorization/b',
    says: 'There are authorization modes besides the role-based one, the attribute-based one among them.',
  },
  {
    place: '2/Authorization/c',
    says: 'All authenticated users may create a SelfSubjectReview when it is enabled, through system:basic-user.',
  },
  {
    place: '2/Errors/lacks permission',
    says: 'A caller who lacks permission is answered with 403 Forbidden.',
  },
  {
    place: '2/Webhook server authentication/a',
    says: 'Credentials for webhooks come from the client configuration that kubeConfigFile names, by the host of the webhook.',
  },
  {
    place: '2/Webhook server authentication/b',
    says: 'A *. prefix and * are allowed; a port other than 443 is part of the name.',
  },
  {
    place: '2/Webhook server authentication/c',
    says: 'Credentials are a client certificate with its key, a name with a password, or a token.',
  },
  {
    place: '2/Events/1',
    says: 'Each call of a mutating webhook is annotated: its outcome at Metadata, its patch at Request or higher.',
  },
];
