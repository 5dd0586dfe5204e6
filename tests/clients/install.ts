import { installClientPrograms } from './client-programs.ts';

await installClientPrograms(line => console.log(line), process.argv.slice(2));
