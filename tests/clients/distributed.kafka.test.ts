import { startDistributedForm } from '../conformance/distributed-form.ts';
import { registerClientTests } from './register-client-tests.ts';

registerClientTests('the distributed form', startDistributedForm);
