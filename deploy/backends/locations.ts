import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/**
 * The folder that holds every fetched backend: `.backends` of the repository, or the value of
 * `BINNACLE_BACKENDS_DIR`.
 */
export function backendsDirectory(): string {
  const configured = process.env['BINNACLE_BACKENDS_DIR'];
  return configured ? resolve(configured) : resolve(import.meta.dirname, '../../.backends');
}

/** The path of Debian's kubectl, there after `installBackends(['kubectl'])`. */
export function kubectlFile(): string {
  return join(backendsDirectory(), 'kubectl/usr/bin/kubectl');
}

/** The folder of the Kafka server's archives. */
export function kafkaLibraryDirectory(): string {
  return join(backendsDirectory(), 'kafka');
}

/** Java's archive of Kafka's loaded classes, written by the installation: with it a server starts in about half of the processor time. */
export function kafkaClassArchive(): string {
  return join(kafkaLibraryDirectory(), 'classes.jsa');
}

/** The first executable of that name on PATH, or undefined. */
export function executableOnPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(directory => directory !== '')
    .map(directory => join(directory, name))
    .find(isExecutable);
}

/** The path of a server program and its environment. */
interface ServerProgram {
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The server program of that name: the one on PATH, or else the one unpacked into `.backends/<name>`
 * together with its shared libraries; undefined when neither is there.
 */
export function findServerProgram(name: string, executable: string): ServerProgram | undefined {
  const installed = executableOnPath(executable);
  if (installed !== undefined) return { file: installed, environment: {} };
  const root = join(backendsDirectory(), name);
  const unpacked = join(root, 'usr/bin', executable);
  if (!isExecutable(unpacked)) return undefined;
  return { file: unpacked, environment: { LD_LIBRARY_PATH: libraryDirectories(root).join(':') } };
}

/** The server program of that name; throws an error that says how to get it when it is not there. */
export function requireServerProgram(name: string, executable: string): ServerProgram {
  const found = findServerProgram(name, executable);
  if (found === undefined) throw new Error(`${executable} is not installed: run "make backends" first`);
  return found;
}

function libraryDirectories(root: string): string[] {
  return ['lib', 'usr/lib'].flatMap(folder => {
    const directory = join(root, folder);
    if (!existsSync(directory)) return [];
    const architectures = readdirSync(directory).filter(entry => entry.endsWith('-linux-gnu'));
    return [directory, ...architectures.map(architecture => join(directory, architecture))];
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
