import { startStandaloneForm } from '../conformance/standalone-form.ts';
import { registerOperatorTests } from './operators/register-operator-tests.ts';

registerOperatorTests('standalone', startStandaloneForm, { flags: { 'api-names': 'kubernetes' } });
