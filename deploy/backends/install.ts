import { errorMessage } from '@binnacle/status-errors';
import { type BackendName, backendNames, installBackends } from './install-backends.ts';
import { backendsDirectory } from './locations.ts';

/** Installs the backends named as arguments, or all of them. */
async function main(names: readonly string[]): Promise<void> {
  if (names.includes('--help')) {
    console.log(
      `Usage: node deploy/backends/install.ts [${backendNames.join('|')} ...]\n\nInstalls these, or all.`,
    );
    return;
  }
  const unknown = names.filter(name => !(backendNames as readonly string[]).includes(name));
  if (unknown.length > 0) {
    throw new Error(`unknown backend ${unknown.join(', ')}; known backends are ${backendNames.join(', ')}`);
  }
  const wanted = names.length === 0 ? backendNames : (names as readonly BackendName[]); // Checked above.
  await installBackends(wanted, line => console.log(line));
  console.log(`${wanted.join(', ')}: ready (${backendsDirectory()})`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 1;
}
