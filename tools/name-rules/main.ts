import { repositoryDirectory } from '../source-scan/source-files.ts';
import { checkNames } from './check-names.ts';

const violations = checkNames(repositoryDirectory);
for (const violation of violations) console.error(violation);
console.log(`name rules: ${violations.length === 0 ? 'kept' : `${violations.length} violations`}`);
process.exitCode = violations.length === 0 ? 0 : 1;
