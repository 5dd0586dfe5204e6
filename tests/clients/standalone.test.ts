import { startStandaloneForm } from '../conformance/standalone-form.ts';
import { registerClientTests } from './register-client-tests.ts';

registerClientTests('the standalone form', startStandaloneForm);
