import { ofKubernetes } from '@binnacle/api-names/testing';
import { startDistributedForm } from '../conformance/distributed-form.ts';
import { registerOperatorTests } from './operators/register-operator-tests.ts';

// All of its processes take the vocabulary from the environment.
registerOperatorTests('the distributed form', startDistributedForm, ofKubernetes);
