import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../journeys/api-server.ts';
import { type Binnaclectl, configMap, type Running } from './start-binnaclectl.ts';

/** Registers the tests of watches, and of how they end. */
export function registerWatchTests(binnaclectl: Binnaclectl): void {
  const { start, run, succeed, interrupt } = binnaclectl;

  test('a watch shows new changes, and Ctrl-C ends it with code 130', async () => {
    const watching = start(['watch', 'cm', '-n', 'tour', '-l', 'watched', '--output-watch-events']);
    const name = await comesInto(watching, 'w');
    assert.match(watching.out(), /^EVENT +NAME +DATA +AGE\nADDED +w-\d+ +0 +\d+s\n/);
    await succeed(['delete', 'cm', name, '-n', 'tour']);
    await until('the deletion is shown', () => watching.out().includes('DELETED'));
    const { code, err } = await interrupt(watching);
    assert.deepEqual({ code, err }, { code: 130, err: '' });
  });

  test('get -w shows existing objects first, and a single object by name', async () => {
    const watching = start(['get', 'cm/settings', '-n', 'tour', '-w', '-o', 'name']);
    await until('the object is shown', () => watching.out() === 'configmap/settings\n');
    await succeed(
      ['apply', '-f', '-'],
      configMap('settings', '{colour: blue, size: small}', 'labels: {tier: front}'),
    );
    await until('the change is shown', () => watching.out() === 'configmap/settings\n'.repeat(2));
    assert.equal((await interrupt(watching)).code, 130);
    await succeed(['apply', '-f', join(binnaclectl.folder, 'tour.yaml')]);
    const absent = await run(['get', 'cm/none', '-n', 'tour', '-w']);
    assert.equal(absent.err, 'Error from server (NotFound): configmaps "none" not found\n');
  });

  test('a watch prints each change with a template', async () => {
    const watching = start([
      ...['get', 'cm/settings', '-n', 'tour', '-w', '--output-watch-events'],
      ...['-o', 'custom-columns=EVENT:.type,COLOUR:.object.data.colour'],
    ]);
    const first = 'EVENT   COLOUR\nADDED   blue\n';
    await until('the object is shown', () => watching.out() === first);
    await succeed(['apply', '-f', '-'], configMap('settings', '{colour: green}', 'labels: {tier: front}'));
    await until('the change is shown', () => watching.out() === `${first}MODIFIED   green\n`);
    assert.equal((await interrupt(watching)).code, 130);
    await succeed(['apply', '-f', join(binnaclectl.folder, 'tour.yaml')]);
  });

  test('the program ends silently when its reader closes the pipe', async () => {
    const watching = start(['watch', 'cm', '-n', 'tour', '-l', 'watched', '-o', 'name']);
    await comesInto(watching, 'p');
    watching.child.stdout?.destroy();
    let count = 0;
    await until('it ends', async () => {
      await succeed(['apply', '-f', '-'], configMap(`q-${count++}`, '{}', 'labels: {watched: "yes"}'));
      return watching.child.exitCode !== null;
    });
    const { code, err } = await watching.ended;
    assert.deepEqual({ code, err }, { code: 141, err: '' });
  });

  /** Creates objects until a watch shows one: it begins some time after its start. */
  async function comesInto(watching: Running, prefix: string): Promise<string> {
    const shown = () => new RegExp(`${prefix}-\\d+`).exec(watching.out())?.[0];
    let count = 0;
    const create = async () => {
      assert.equal(watching.child.exitCode ?? watching.child.signalCode, null, watching.err());
      await succeed(
        ['apply', '-f', '-'],
        configMap(`${prefix}-${++count}`, '{}', 'labels: {watched: "yes"}'),
      );
      return shown() !== undefined;
    };
    const start = performance.now();
    const describe = () =>
      `${count} objects in ${Math.round(performance.now() - start)} ms; the watch: ${watching.out()}${watching.err()}`;
    await until('the watch shows an object', create, 100).catch(cause => {
      throw new Error(describe(), { cause });
    });
    return shown() ?? '';
  }
}
