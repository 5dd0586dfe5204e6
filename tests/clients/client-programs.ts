import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backendsDirectory, executableOnPath, runCommand, withInstallLock } from '@binnacle/backends';

/** A client program of another language: what it is fetched or built with, and how. */
export interface ClientProgram {
  readonly name: 'go' | 'control-plane' | 'operators' | 'python' | 'java';
  /** Why it is installed only when it is asked for by name. */
  readonly onlyWhenAsked?: string;
  /** Commands that it takes; without one of them its tests are skipped. */
  readonly tools: readonly string[];
  /** A further fault of the installed tools: a version that is too old. Undefined when there is none. */
  readonly unsuitable?: () => string | undefined;
  /** Files whose content says which version it is. */
  readonly sources: readonly string[];
  /** Fetches and builds it into an empty folder. */
  install(directory: string): Promise<void>;
}

/** A project whose definitions are installed, and a folder of its own sample objects. */
interface DefinitionModule {
  readonly module: string;
  readonly definitions: string;
  readonly samples?: string;
}

const definitionModules: readonly DefinitionModule[] = [
  {
    module: 'sigs.k8s.io/gateway-api@v1.2.1',
    definitions: 'config/crd/standard',
    samples: 'examples/standard',
  },
  { module: 'knative.dev/serving@v0.39.3', definitions: 'config/core/300-resources' },
  { module: 'github.com/kubernetes-csi/external-snapshotter/client/v6@v6.3.0', definitions: 'config/crd' },
];

const here = import.meta.dirname;
const goFolder = join(here, 'go');
/** Programs that are built: the tours, kubectl of the release, and kube-state-metrics as its project publishes it. */
const goPrograms = ['.', './kubectl', 'k8s.io/kube-state-metrics/v2'];
const goSources = readdirSync(goFolder, { recursive: true, encoding: 'utf8' }).filter(name =>
  name.endsWith('.go'),
);
const controlPlaneFolder = join(here, 'control-plane');
/** Operators, by the folder of the module that requires them: what is built, of which release their client libraries are. */
const operators = [
  {
    folder: join(here, 'operators/cert-manager'),
    module: 'github.com/cert-manager/cert-manager',
    programs: [
      ...['controller', 'cainjector', 'webhook'].map(
        name => `github.com/cert-manager/cert-manager/cmd/${name}`,
      ),
      'helm.sh/helm/v3/cmd/helm',
    ],
    release: '1.26.4',
  },
  {
    folder: join(here, 'operators/prometheus-operator'),
    module: 'github.com/prometheus-operator/prometheus-operator',
    programs: ['operator', 'admission-webhook'].map(
      name => `github.com/prometheus-operator/prometheus-operator/cmd/${name}`,
    ),
    release: '1.33.3',
  },
];
/** Files of a module that requires programs. */
const moduleFiles = ['go.mod', 'go.sum', 'programs.go'];
const javaProject = join(here, 'java/pom.xml');
const pythonPackages = join(here, 'python/requirements.txt');

/**
 * Go's clients, with real definitions beside them; Kubernetes' controllers and scheduler; operators of other projects, with the
 * folders of their modules; Python's in an environment; Java's archives.
 */
export const clientPrograms: Readonly<Record<ClientProgram['name'], ClientProgram>> = {
  go: {
    name: 'go',
    tools: ['go'],
    unsuitable: () => oldGo(execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).trim()),
    sources: [
      ...goSources.map(name => join(goFolder, name)),
      join(goFolder, 'go.mod'),
      join(here, 'client-programs.ts'),
    ],
    async install(directory) {
      writeFileSync(join(directory, 'folders.json'), JSON.stringify(await definitionFolders()));
      await buildWithGo(goPrograms, { folder: goFolder, directory, release: '1.26.3' });
    },
  },
  'control-plane': {
    name: 'control-plane',
    onlyWhenAsked: 'its first build takes a quarter of an hour',
    tools: ['go'],
    sources: moduleFiles.map(name => join(controlPlaneFolder, name)),
    async install(directory) {
      const programs = ['kube-controller-manager', 'kube-scheduler'].map(
        name => `k8s.io/kubernetes/cmd/${name}`,
      );
      await buildWithGo(programs, { folder: controlPlaneFolder, directory, release: '1.26.5' });
    },
  },
  operators: {
    name: 'operators',
    onlyWhenAsked: 'their first build takes six minutes of processor time',
    tools: ['go'],
    sources: operators.flatMap(({ folder }) => moduleFiles.map(name => join(folder, name))),
    async install(directory) {
      const folders: string[] = [];
      for (const { folder, module, programs, release } of operators) {
        const find = ['list', '-mod=readonly', '-m', '-f', '{{.Dir}}', module];
        await buildWithGo(programs, { folder, directory, release });
        folders.push(`${module}=${(await runCommand('go', find, { workingDirectory: folder })).trim()}`);
      }
      writeFileSync(join(directory, 'folders.json'), JSON.stringify(folders));
    },
  },
  python: {
    name: 'python',
    tools: ['python3'],
    sources: [pythonPackages],
    async install(directory) {
      await runCommand('python3', ['-m', 'venv', directory]);
      const arguments_ = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '-r', pythonPackages];
      await runCommand(join(directory, 'bin/python'), arguments_);
    },
  },
  java: {
    name: 'java',
    tools: ['javac', 'mvn'],
    sources: [javaProject],
    async install(directory) {
      const copy = [
        'dependency:copy-dependencies',
        '-DincludeScope=runtime',
        `-DoutputDirectory=${directory}`,
      ];
      await runCommand('mvn', ['-B', '-q', '-f', javaProject, ...copy]);
    },
  },
};

/** The folder of a program, there after `installClientPrograms`. */
export function programDirectory(name: ClientProgram['name']): string {
  return join(backendsDirectory(), 'clients', name);
}

/** The reason why a program cannot be run: a tool that is missing, or too old. Undefined when there is none. */
export function missingTool({ tools, unsuitable }: ClientProgram): string | undefined {
  const missing = tools.find(tool => executableOnPath(tool) === undefined);
  return missing === undefined ? unsuitable?.() : `${missing} is not installed`;
}

/** Says that a version of Go (`go1.19.8`) is older than go.mod asks for; undefined when it is not. */
export function oldGo(version: string): string | undefined {
  const [, wanted = 0] = /^go 1\.(\d+)$/m.exec(readFileSync(join(goFolder, 'go.mod'), 'utf8')) ?? [];
  const [, found = wanted] = /^go1\.(\d+)/.exec(version) ?? [];
  return Number(found) < Number(wanted)
    ? `${version} is too old: Go 1.${wanted} or later is needed`
    : undefined;
}

/** The folders of real definitions and samples, as arguments of the Go program. */
export function foldersOfDefinitions(): string[] {
  return listFolders('go');
}

/** The folder of an operator's module, as its project publishes it. */
export function operatorFolder(module: string): string {
  const found = listFolders('operators').find(folder => folder.startsWith(`${module}=`));
  if (found === undefined) throw new Error(`${module} is not one of the operators`);
  return found.replace(folderName, '');
}

/** Folders of fetched modules that a program comes with, each after a name and an equals sign. */
function listFolders(name: ClientProgram['name']): string[] {
  const file = join(programDirectory(name), 'folders.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : [];
}

const folderName = /^[^=]+=/;

/**
 * Fetches and builds the programs whose tools are at hand, where they are not there in their present version; those that take long
 * only when their names are given.
 */
export async function installClientPrograms(
  report: (line: string) => void,
  asked: readonly string[] = [],
): Promise<void> {
  for (const program of Object.values(clientPrograms)) {
    if (program.onlyWhenAsked !== undefined && !asked.includes(program.name)) continue;
    const missing = missingTool(program);
    if (missing !== undefined) report(`the ${program.name} client is skipped: ${missing}`);
    else if (!isInstalled(program)) await install(program, report);
  }
}

async function install(program: ClientProgram, report: (line: string) => void): Promise<void> {
  const directory = programDirectory(program.name);
  await withInstallLock(join(backendsDirectory(), 'clients'), async () => {
    if (isInstalled(program)) return;
    report(`installing the ${program.name} client`);
    const tryOnce = async () => {
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(directory, { recursive: true });
      await program.install(directory);
    };
    // A download that breaks off is the usual failure; what was fetched before is kept by the tools.
    await tryOnce().catch(tryOnce);
    writeFileSync(join(directory, 'installed'), createDigest(program));
  });
}

/**
 * Builds programs of the module in a folder into a directory. They say the release of Kubernetes that their libraries are of, as
 * those do that its project builds.
 */
async function buildWithGo(
  programs: readonly string[],
  { folder, directory, release }: { folder: string; directory: string; release: string },
): Promise<void> {
  const [gitMajor = '', gitMinor = ''] = release.split('.');
  const variables = Object.entries({ gitVersion: `v${release}`, gitMajor, gitMinor }).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
  // They run for seconds: their optimization would take longer than it saves, and no debugger reads them.
  const flags = ['-mod=readonly', '-gcflags=all=-N -l -dwarf=false', `-ldflags=-s -w ${variables.join(' ')}`];
  // Without cgo no C compiler is needed.
  const build = ['CGO_ENABLED=0', 'go', 'build', ...flags, '-o', `${directory}/`, ...programs];
  await runCommand('env', build, { workingDirectory: folder });
}

function isInstalled(program: ClientProgram): boolean {
  const stamp = join(programDirectory(program.name), 'installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== createDigest(program)) return false;
  return listFolders(program.name).every(folder => existsSync(folder.replace(folderName, '')));
}

function createDigest({ sources }: ClientProgram): string {
  const hash = createHash('sha256');
  for (const file of sources) hash.update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

async function definitionFolders(): Promise<string[]> {
  const folders: string[] = [];
  // Outside of a module, so that the projects' own requirements are not looked at.
  const nowhere = mkdtempSync(join(tmpdir(), 'binnacle-modules-'));
  try {
    for (const { module, definitions, samples } of definitionModules) {
      const answer = await runCommand('go', ['mod', 'download', '-json', module], {
        workingDirectory: nowhere,
      });
      const { Dir: directory } = JSON.parse(answer) as { Dir: string };
      folders.push(`definitions=${join(directory, definitions)}`);
      if (samples !== undefined) folders.push(`samples=${join(directory, samples)}`);
    }
  } finally {
    rmSync(nowhere, { recursive: true });
  }
  return folders;
}

/** The start of a tour. */
export interface TourStart {
  /** A client configuration with an administrator's certificate. */
  readonly configuration: string;
  /** A namespace of its own, which the tour creates. */
  readonly namespace: string;
  /** An empty folder. */
  readonly directory: string;
}
