import { repositoryDirectory } from '../source-scan/source-files.ts';
import { checkSizes } from './check-sizes.ts';

const violations = checkSizes(repositoryDirectory);
for (const violation of violations) console.error(violation);
console.log(`size rules: ${violations.length === 0 ? 'kept' : `${violations.length} violations`}`);
process.exitCode = violations.length === 0 ? 0 : 1;
