import { ofCluster } from '@binnacle/api-names/testing';
import { startStandaloneForm } from '../conformance/standalone-form.ts';
import { registerOperatorTests } from './operators/register-operator-tests.ts';

registerOperatorTests('standalone', startStandaloneForm, { flags: { 'api-names': 'kubernetes' } });
// They know the API by aliases of its groups; the namespace in which they elect leaders is a name like any other.
registerOperatorTests('standalone, in the vocabulary cluster', startStandaloneForm, {
  ...ofCluster,
  flags: { 'api-names': 'cluster' },
  namespaces: ['kube-system'],
});
