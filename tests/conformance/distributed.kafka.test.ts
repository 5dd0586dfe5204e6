import { startDistributedForm } from './distributed-form.ts';
import { registerConformanceTests } from './register-conformance-tests.ts';

registerConformanceTests('distributed', startDistributedForm);
