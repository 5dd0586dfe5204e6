import { repositoryDirectory } from '../source-scan/source-files.ts';
import { checkImports } from './check-imports.ts';

const violations = checkImports(repositoryDirectory);
for (const violation of violations) console.error(violation);
console.log(`import rules: ${violations.length === 0 ? 'kept' : `${violations.length} violations`}`);
process.exitCode = violations.length === 0 ? 0 : 1;
