import { testsOfProtocol } from './all-tests.ts';
import { registerConformanceTests } from './register-conformance-tests.ts';
import { startStandaloneForm } from './standalone-form.ts';

registerConformanceTests(
  'standalone over HTTP/2',
  async options => ({ ...(await startStandaloneForm(options)), protocol: 'h2' }),
  testsOfProtocol,
);
