import { groupTable } from '@binnacle/api-names/table';
import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { StatusError } from '@binnacle/status-errors';
import { objectIn, textIn } from '../objects/page.ts';
import { columnsText } from '../output/columns.ts';
import { documentText } from '../output/documents.ts';
import { CommandError, UsageError } from '../output/errors.ts';
import { outputForm } from '../output/output-form.ts';
import type { Session } from '../session/session.ts';
import { defineCommand } from './command.ts';
import { outputFlag } from './output-flag.ts';

/** Shows the user that the server authenticates. */
export const whoami = defineCommand({
  name: 'auth whoami',
  usage: '',
  summary: 'Shows the user that the server sees: name, UID, groups and extra attributes.',
  examples: ['auth whoami', 'auth whoami -o yaml'],
  flags: { output: outputFlag(['json', 'yaml']) },
  async run({ flags, words, open, terminal }) {
    if (words.length > 0) throw new UsageError(`unexpected arguments: ${words.join(' ')}`);
    const form = outputForm(flags.output, ['json', 'yaml']);
    const review = await reviewed(open()).catch(error => {
      throw plainError(error);
    });
    await terminal.out(
      form === 'json' || form === 'yaml' ? documentText(review, form) : attributesText(review),
    );
    return 0;
  },
});

async function reviewed({ client, discovery }: Session): Promise<JsonObject> {
  const apiVersion = `${await discovery.nameOf(groupTable.authentication)}/v1alpha1`;
  return await client.json<JsonObject>({
    method: 'POST',
    path: `/apis/${apiVersion}/selfsubjectreviews`,
    body: { apiVersion, kind: 'SelfSubjectReview' },
  });
}

function plainError(error: unknown): unknown {
  if (!(error instanceof StatusError)) return error;
  if (error.code === 403)
    return new CommandError(
      'the selfsubjectreviews API is not enabled in the cluster or you do not have permission to call it',
    );
  if (error.code === 404 || error.code === 405)
    return new CommandError(
      'the server does not serve selfsubjectreviews in version v1alpha1, which whoami needs',
    );
  return error;
}

function attributesText(review: JsonObject): string {
  const user = objectIn(objectIn(review, 'status'), 'userInfo');
  const { groups } = user;
  const extra = objectIn(user, 'extra');
  const optional = (label: string, value: string) => (value === '' ? [] : [[label, value]]);
  return columnsText([
    ['ATTRIBUTE', 'VALUE'],
    ['Username', textIn(user, 'username')],
    ...optional('UID', textIn(user, 'uid')),
    ...(Array.isArray(groups) && groups.length > 0 ? [['Groups', `[${groups.join(' ')}]`]] : []),
    ...Object.entries(extra).map(([name, values]) => [
      `Extra: ${name}`,
      Array.isArray(values) ? `[${values.filter(value => !isJsonObject(value)).join(' ')}]` : '[]',
    ]),
  ]);
}
