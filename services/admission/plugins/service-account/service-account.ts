import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { createAccountSource } from './account-source.ts';
import { completeFromAccount } from './mutate.ts';
import { assertAccountRules } from './validate.ts';

const serviceAccounts = { group: '', version: 'v1', resource: 'serviceaccounts' };

/** ServiceAccount, on by default: every pod runs as an account of its namespace and holds its token. */
export const serviceAccount: PluginRegistration = {
  name: 'ServiceAccount',
  byDefault: true,
  concerns: ['/pods'],
  reads: [serviceAccounts],
  create({ objects }) {
    const accounts = createAccountSource(objects.reader(serviceAccounts));
    return {
      name: 'ServiceAccount',
      mutate: review => completeFromAccount(review, accounts),
      validate: review => assertAccountRules(review, accounts),
    };
  },
};
