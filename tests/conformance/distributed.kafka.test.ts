import { startDistributedForm } from './distributed-form.ts';
import { overHttp2 } from './drivers/over-http2.ts';
import { registerConformanceTests } from './register-conformance-tests.ts';

// Each test is run on both forms, and over both protocols: the standalone form is asked over HTTP/1.1.
registerConformanceTests('distributed, over HTTP/2', overHttp2(startDistributedForm));
