import { clientPrograms, installClientPrograms } from './client-programs.ts';

const usage = `Usage: node tests/clients/install.ts [names]

Installs what is missing of the clients that the tests run; these only where they are named:
${Object.values(clientPrograms)
  .filter(({ onlyWhenAsked }) => onlyWhenAsked !== undefined)
  .map(({ name, onlyWhenAsked }) => `  ${name}: ${onlyWhenAsked}`)
  .join('\n')}`;

const names = process.argv.slice(2);
if (names.includes('--help')) console.log(usage);
else await installClientPrograms(line => console.log(line), names);
