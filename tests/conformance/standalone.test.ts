import { registerConformanceTests } from './register-conformance-tests.ts';
import { startStandaloneForm } from './standalone-form.ts';

registerConformanceTests('standalone', startStandaloneForm);
