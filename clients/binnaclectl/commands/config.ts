import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { switchFlag, textFlag } from '../arguments/flag.ts';
import { type ConfigurationEntry, type Kubeconfig, readKubeconfig } from '../configuration/kubeconfig.ts';
import { withoutSecrets } from '../configuration/without-secrets.ts';
import { writeCurrentContext } from '../configuration/write-current-context.ts';
import { columnsText } from '../output/columns.ts';
import { documentText } from '../output/documents.ts';
import { CommandError, UsageError } from '../output/errors.ts';
import { outputForm } from '../output/output-form.ts';
import { defineCommand } from './command.ts';

/** Shows the merged configuration. */
export const configView = defineCommand({
  name: 'config view',
  usage: '',
  summary: 'Shows the client configuration as its files give it together, without secrets.',
  examples: ['config view', 'config view --minify -o json'],
  flags: {
    raw: switchFlag('certificates, keys and tokens too'),
    minify: switchFlag('what the current context uses alone'),
    output: textFlag('output format: yaml or json', { short: 'o', placeholder: 'format' }),
  },
  async run({ flags, words, terminal }) {
    if (words.length > 0) throw new UsageError(`unexpected arguments: ${words.join(' ')}`);
    const form = outputForm(flags.output, ['json', 'yaml']);
    const whole = readKubeconfig(flags.kubeconfig, terminal.env);
    const shown = flags.minify
      ? minified({ ...whole, currentContext: flags.context ?? whole.currentContext })
      : whole;
    const document = documentOf(shown);
    const safe = flags.raw ? document : withoutSecrets(document);
    await terminal.out(documentText(safe, form === 'json' ? 'json' : 'yaml'));
    return 0;
  },
});

/** Shows the name of the current context. */
export const configCurrentContext = defineCommand({
  name: 'config current-context',
  usage: '',
  summary: 'Shows the name of the current context.',
  examples: ['config current-context'],
  flags: {},
  async run({ flags, words, terminal }) {
    if (words.length > 0) throw new UsageError(`unexpected arguments: ${words.join(' ')}`);
    const { currentContext } = readKubeconfig(flags.kubeconfig, terminal.env);
    if (currentContext === '') throw new CommandError('current-context is not set');
    await terminal.out(`${currentContext}\n`);
    return 0;
  },
});

/** Shows contexts. */
export const configGetContexts = defineCommand({
  name: 'config get-contexts',
  usage: '[NAME...]',
  summary: 'Shows the contexts of the client configuration.',
  examples: ['config get-contexts', 'config get-contexts -o name'],
  flags: {
    output: textFlag('output format: name', { short: 'o', placeholder: 'format' }),
    noHeaders: switchFlag('no line of headers'),
  },
  async run({ flags, words, terminal }) {
    const form = outputForm(flags.output, ['name']);
    const { contexts, currentContext } = readKubeconfig(flags.kubeconfig, terminal.env);
    for (const name of words) assertContext(contexts, name);
    const shown = contexts
      .filter(({ name }) => words.length === 0 || words.includes(name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const header = ['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE'];
    const lines = shown.map(({ name, content }) => [
      name === currentContext ? '*' : '',
      name,
      ...['cluster', 'user', 'namespace'].map(field => String(content[field] ?? '')),
    ]);
    const names = shown.map(({ name }) => `${name}\n`).join('');
    await terminal.out(form === 'name' ? names : columnsText(flags.noHeaders ? lines : [header, ...lines]));
    return 0;
  },
});

/** Makes a context the current one. */
export const configUseContext = defineCommand({
  name: 'config use-context',
  usage: 'NAME',
  summary: 'Makes a context the current one.',
  examples: ['config use-context production'],
  flags: {},
  async run({ flags, words, terminal }) {
    const [name, ...rest] = words;
    if (name === undefined || rest.length > 0)
      throw new UsageError('use-context takes the name of one context');
    const kubeconfig = readKubeconfig(flags.kubeconfig, terminal.env);
    assertContext(kubeconfig.contexts, name);
    await writeCurrentContext(kubeconfig, name);
    await terminal.out(`Switched to context "${name}".\n`);
    return 0;
  },
});

function assertContext(contexts: readonly ConfigurationEntry[], name: string): void {
  if (!contexts.some(context => context.name === name))
    throw new CommandError(`no context exists with the name: "${name}"`);
}

function minified(kubeconfig: Kubeconfig): Kubeconfig {
  const { currentContext } = kubeconfig;
  if (currentContext === '') throw new CommandError('current-context must exist in order to minify');
  assertContext(kubeconfig.contexts, currentContext);
  const contexts = kubeconfig.contexts.filter(({ name }) => name === currentContext);
  const used = (field: string) => contexts.map(({ content }) => content[field]);
  return {
    ...kubeconfig,
    contexts,
    clusters: kubeconfig.clusters.filter(({ name }) => used('cluster').includes(name)),
    users: kubeconfig.users.filter(({ name }) => used('user').includes(name)),
  };
}

function documentOf({ contexts, clusters, users, currentContext }: Kubeconfig): JsonObject {
  const entries = (list: readonly ConfigurationEntry[], inner: string) =>
    list.map(({ name, content }) => ({ name, [inner]: isJsonObject(content) ? content : {} }));
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: entries(clusters, 'cluster'),
    contexts: entries(contexts, 'context'),
    'current-context': currentContext,
    preferences: {},
    users: entries(users, 'user'),
  };
}
