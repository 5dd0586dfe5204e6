import { groupTable } from '@binnacle/api-names/table';
import type { JsonObject } from '@binnacle/api-objects';
import { switchFlag, textFlag } from '../arguments/flag.ts';
import { findType } from '../discovery/resolve-type.ts';
import { objectIn, objectsIn, textIn, textsIn } from '../objects/page.ts';
import { columnsText } from '../output/columns.ts';
import { UsageError } from '../output/errors.ts';
import type { Session } from '../session/session.ts';
import { defineCommand } from './command.ts';

/** Says whether the user may do something. */
export const canI = defineCommand({
  name: 'auth can-i',
  usage: '(VERB RESOURCE[/NAME] | VERB /PATH | --list)',
  summary: 'Shows whether you may do something: yes, or no with exit code 1.',
  examples: [
    'auth can-i create pods -n shop',
    'auth can-i get configmaps/settings --as alice',
    'auth can-i update deployments --subresource=scale',
    'auth can-i get /metrics',
    'auth can-i --list -n shop',
  ],
  flags: {
    subresource: textFlag('subresource: scale, status, log'),
    allNamespaces: switchFlag('permission in all namespaces', { short: 'A' }),
    list: switchFlag('everything that you may do in the namespace'),
    noHeaders: switchFlag('no header line, with --list'),
    quiet: switchFlag('no output, only the exit code', { short: 'q' }),
  },
  async run({ flags, words, open, terminal }) {
    if (flags.list) {
      if (words.length > 0) throw new UsageError('--list cannot be combined with a verb or a resource');
      return await listRights(open(), { headers: !flags.noHeaders });
    }
    const [verb, resource, ...rest] = words;
    if (verb === undefined || resource === undefined || rest.length > 0)
      throw new UsageError('you must specify two arguments: verb resource or verb resource/resourceName');
    const session = open();
    const spec = resource.startsWith('/')
      ? { nonResourceAttributes: { verb, path: resource } }
      : {
          resourceAttributes: await findAttributes(session, resource, {
            verb,
            subresource: flags.subresource ?? '',
            namespace: flags.allNamespaces ? '' : session.namespace,
          }),
        };
    const status = await reviewed(session, 'SelfSubjectAccessReview', spec);
    const allowed = status['allowed'] === true;
    if (!flags.quiet) await terminal.out(`${verdictText(status, allowed)}\n`);
    return allowed ? 0 : 1;
  },
});

/** The status of a review. */
async function reviewed(
  session: Session,
  kind: 'SelfSubjectAccessReview' | 'SelfSubjectRulesReview',
  spec: JsonObject,
): Promise<JsonObject> {
  const apiVersion = `${await session.discovery.nameOf(groupTable.authorization)}/v1`;
  const path = `/apis/${apiVersion}/${kind.toLowerCase()}s`;
  const body = { apiVersion, kind, spec };
  return objectIn(await session.client.json<JsonObject>({ method: 'POST', path, body }), 'status');
}

function verdictText(status: JsonObject, allowed: boolean): string {
  const reason = textIn(status, 'reason');
  const trouble = textIn(status, 'evaluationError');
  return [
    allowed ? 'yes' : 'no',
    // The reason of an allowed access is not shown.
    ...(!allowed && reason !== '' ? [` - ${reason}`] : []),
    ...(!allowed && trouble !== '' ? [` - ${trouble}`] : []),
  ].join('');
}

/** The attributes of a type. A type that the server does not have is taken by its name: rules may name it too. */
async function findAttributes(
  session: Session,
  text: string,
  {
    verb,
    subresource,
    namespace,
  }: { readonly verb: string; readonly subresource: string; readonly namespace: string },
) {
  const [typeName = '', ...nameParts] = text.split('/');
  const name = nameParts.join('/');
  const common = { verb, ...(subresource && { subresource }), ...(name && { name }) };
  if (typeName === '*') return { ...common, namespace, group: '*', resource: '*' };
  const { types } = await session.discovery.served();
  const type = findType(types, typeName);
  if (type === undefined) {
    session.terminal.err(`Warning: the server doesn't have a resource type '${typeName}'\n`);
    const [resource = '', ...group] = typeName.split('.');
    return { ...common, namespace, group: group.join('.'), resource: resource.toLowerCase() };
  }
  if (!type.namespaced && session.namespaceIsGiven)
    session.terminal.err(`Warning: resource '${type.resource}' is not namespace scoped\n`);
  const { group, resource } = type;
  return { ...common, ...(type.namespaced && { namespace }), group, resource };
}

async function listRights(session: Session, { headers }: { readonly headers: boolean }): Promise<number> {
  const status = await reviewed(session, 'SelfSubjectRulesReview', { namespace: session.namespace });
  const lines = [
    ...objectsIn(status, 'resourceRules').flatMap(rule => {
      const resources = textsIn(rule, 'resources').flatMap(resource =>
        groupsIn(rule).map(group => (group === '' ? resource : `${resource}.${group}`)),
      );
      return resources.map(resource => [
        resource,
        '[]',
        bracketed(rule, 'resourceNames'),
        bracketed(rule, 'verbs'),
      ]);
    }),
    ...objectsIn(status, 'nonResourceRules').map(rule => [
      '',
      bracketed(rule, 'nonResourceURLs'),
      '[]',
      bracketed(rule, 'verbs'),
    ]),
  ];
  const header = ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'];
  await session.terminal.out(columnsText(headers ? [header, ...lines] : lines));
  if (status['incomplete'] === true)
    session.terminal.err(`Warning: the list may be incomplete: ${textIn(status, 'evaluationError')}\n`);
  return 0;
}

function groupsIn(rule: JsonObject): string[] {
  const groups = textsIn(rule, 'apiGroups');
  return groups.length === 0 ? [''] : groups;
}

function bracketed(rule: JsonObject, name: string): string {
  return `[${textsIn(rule, name).join(' ')}]`;
}
