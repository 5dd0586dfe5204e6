import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { openEmbeddedStorage } from '../backends/embedded/embedded-storage.ts';
import { registerConversionTests } from '../test-drivers/conversion-tests.ts';

const directory = await mkdtemp(join(tmpdir(), 'binnacle-conversion-'));
after(() => rm(directory, { recursive: true, force: true }));
let stores = 0;

registerConversionTests('embedded', () => openEmbeddedStorage({ directory: join(directory, `${stores++}`) }));
