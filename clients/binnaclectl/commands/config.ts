import type { JsonObject } from '@binnacle/api-objects';
import type { ConfigurationFiles } from '@binnacle/client';
import { switchFlag } from '../arguments/flag.ts';
import { configurationFiles, withoutSecrets, writeCurrentContext } from '../configuration/configuration.ts';
import { textIn } from '../objects/page.ts';
import { columnsText } from '../output/columns.ts';
import { documentText } from '../output/documents.ts';
import { CommandError, UsageError } from '../output/errors.ts';
import { outputForm, outputFrom } from '../output/output-form.ts';
import { templateForms } from '../output/template-forms.ts';
import { defineCommand } from './command.ts';
import { outputFlag } from './output-flag.ts';
import { templateFlags } from './template-flags.ts';

const viewForms = ['json', 'yaml', ...templateForms] as const;

/** Shows the merged configuration. */
export const configView = defineCommand({
  name: 'config view',
  usage: '',
  summary: 'Shows the client configuration, merged from its files, without secrets.',
  examples: ['config view', "config view --minify -o jsonpath='{.contexts[0].context.namespace}'"],
  flags: {
    raw: switchFlag('with certificates, keys and tokens'),
    minify: switchFlag('only what the current context uses'),
    output: outputFlag(viewForms, ' (default yaml)'),
    ...templateFlags,
  },
  async run({ flags, words, terminal }) {
    if (words.length > 0) throw new UsageError(`unexpected arguments: ${words.join(' ')}`);
    const { form, printer } = outputFrom(flags, viewForms);
    const files = configurationFiles(flags.kubeconfig, terminal.env);
    const document = flags.minify
      ? minified(files, flags.context ?? files.currentContext)
      : createDocument(files, files.currentContext, list => files.names(list));
    const safe = flags.raw ? document : withoutSecrets(document);
    await terminal.out(printer?.print(safe) ?? documentText(safe, form === 'json' ? 'json' : 'yaml'));
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
    const { currentContext } = configurationFiles(flags.kubeconfig, terminal.env);
    if (currentContext === undefined) throw new CommandError('current-context is not set');
    await terminal.out(`${currentContext}\n`);
    return 0;
  },
});

/** Shows contexts. */
export const configGetContexts = defineCommand({
  name: 'config get-contexts',
  usage: '[CONTEXT...]',
  summary: 'Shows the contexts of the client configuration.',
  examples: ['config get-contexts', 'config get-contexts -o name'],
  flags: {
    output: outputFlag(['name']),
    noHeaders: switchFlag('no header line'),
  },
  async run({ flags, words, terminal }) {
    const form = outputForm(flags.output, ['name']);
    const files = configurationFiles(flags.kubeconfig, terminal.env);
    for (const name of words) assertContext(files, name);
    const shown = (words.length === 0 ? files.names('contexts') : [...new Set(words)]).toSorted();
    const header = ['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE'];
    const lines = shown.map(name => [
      name === files.currentContext ? '*' : '',
      name,
      ...['cluster', 'user', 'namespace'].map(field => textIn(findFields(files, 'contexts', name), field)),
    ]);
    const names = shown.map(name => `${name}\n`).join('');
    await terminal.out(form === 'name' ? names : columnsText(flags.noHeaders ? lines : [header, ...lines]));
    return 0;
  },
});

/** Makes a context the current one. */
export const configUseContext = defineCommand({
  name: 'config use-context',
  usage: 'CONTEXT',
  summary: 'Makes a context the current one.',
  examples: ['config use-context production'],
  flags: {},
  async run({ flags, words, terminal }) {
    const [name, ...rest] = words;
    if (name === undefined || rest.length > 0)
      throw new UsageError('use-context needs the name of one context');
    const files = configurationFiles(flags.kubeconfig, terminal.env);
    assertContext(files, name);
    await writeCurrentContext(files, name);
    await terminal.out(`Switched to context "${name}".\n`);
    return 0;
  },
});

type List = Parameters<ConfigurationFiles['find']>[0];

function assertContext(files: ConfigurationFiles, name: string): void {
  if (!files.names('contexts').includes(name))
    throw new CommandError(`no context exists with the name: "${name}"`);
}

function findFields(files: ConfigurationFiles, list: List, name: string): JsonObject {
  return files.find(list, name)?.fields ?? {};
}

function minified(files: ConfigurationFiles, context: string | undefined): JsonObject {
  if (context === undefined) throw new CommandError('current-context must exist in order to minify');
  assertContext(files, context);
  const { cluster, user } = findFields(files, 'contexts', context);
  const used: Record<List, unknown> = { contexts: context, clusters: cluster, users: user };
  return createDocument(files, context, list => files.names(list).filter(name => name === used[list]));
}

function createDocument(
  files: ConfigurationFiles,
  currentContext: string | undefined,
  namesIn: (list: List) => readonly string[],
): JsonObject {
  const entries = (list: List, inner: string) =>
    namesIn(list).map(name => ({ name, [inner]: findFields(files, list, name) }));
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: entries('clusters', 'cluster'),
    contexts: entries('contexts', 'context'),
    'current-context': currentContext ?? '',
    preferences: {},
    users: entries('users', 'user'),
  };
}
