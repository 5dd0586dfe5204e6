import { repositoryDirectory } from '../source-scan/source-files.ts';
import { checkJson } from './check-json.ts';

const violations = checkJson(repositoryDirectory);
for (const violation of violations) console.error(violation);
console.log(`json rules: ${violations.length === 0 ? 'kept' : `${violations.length} violations`}`);
process.exitCode = violations.length === 0 ? 0 : 1;
