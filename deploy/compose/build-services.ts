import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildServices, compileServices } from './service-bundles.ts';

// Makes the programs of the services as images have them. The folder itself stays: its owner may not be that of the repository.
const directory = resolve(import.meta.dirname, '../../dist');
for (const name of existsSync(directory) ? readdirSync(directory) : [])
  rmSync(join(directory, name), { recursive: true });
await buildServices(directory);
await compileServices(directory);
