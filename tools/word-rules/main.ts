import { repositoryDirectory } from '../source-scan/source-files.ts';
import { checkWords } from './check-words.ts';

const violations = checkWords(repositoryDirectory);
for (const violation of violations) console.error(violation);
console.log(`word rules: ${violations.length === 0 ? 'kept' : `${violations.length} violations`}`);
process.exitCode = violations.length === 0 ? 0 : 1;
