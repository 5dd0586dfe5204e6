import assert from 'node:assert/strict';
import type { ConformanceTests } from '../drivers/conformance-server.ts';
import { startUnfinishedGateway } from '../health/unfinished-gateway.ts';
import { gates, offInRelease } from './deprecation-rules.ts';
import { gatewayAlone, readHelp, runProgram } from './run-program.ts';

/** Checks that every program that keeps history keeps five minutes of it unless it is told otherwise. */
async function assertFiveMinutes(): Promise<void> {
  for (const program of ['gateway', 'storage', 'standalone'] as const) {
    const [, help = ''] = (await readHelp(program)).split('--history-window');
    assert.match(help, /^ <duration>\n.*\(default: 5m;/, program);
  }
}

/** How programs start, or do not, and what they say of their flags. */
export const programStartTests: ConformanceTests = {
  async '1/Health endpoints/--livez-grace-period a start may take as long, and no longer'() {
    await using patient = await startUnfinishedGateway('--livez-grace-period=1h');
    assert.equal((await patient.get('/livez')).code, 200);
    await using impatient = await startUnfinishedGateway('--livez-grace-period=1ms');
    const { code, text } = await impatient.get('/livez?verbose');
    assert.equal(code, 500);
    assert.match(text, /^\[-\]poststarthook\/\S+ failed/m);
  },

  async '1/Groups/--runtime-config pairs what is no pair of a known version is refused at the start'() {
    for (const pair of ['no.such.group/v1', 'apps/v1=perhaps', 'apps/v1/no-such-resource']) {
      const { code, stderr } = await runProgram(
        'gateway',
        ...gatewayAlone,
        `--runtime-config=batch/v1,${pair}`,
      );
      assert.notEqual(code, 0, pair);
      assert.ok(stderr.includes(pair.split('=')[0] ?? ''), stderr);
    }
  },

  '1/Limits/watch history five minutes are the default of all who keep it': assertFiveMinutes,

  async '1/Deprecation rules/8e the server does not start without what is generally available'(server) {
    for (const { name } of await gates(server, '')) {
      const { code, stderr } = await runProgram('gateway', ...gatewayAlone, `--feature-gates=${name}=false`);
      assert.notEqual(code, 0);
      assert.match(stderr, new RegExp(name));
    }
  },

  async '1/Deprecation rules/9b the help text says of every gate how far it is'(server) {
    const help = (await readHelp('gateway')).split('\n');
    const stages = { ALPHA: 'alpha, default: false', BETA: 'beta, default: true', '': 'GA' };
    for (const [stage, words] of Object.entries(stages)) {
      for (const { name } of await gates(server, stage)) {
        const line = help.find(text => text.trim().startsWith(`${name}=`)) ?? '';
        const said = name === offInRelease ? 'beta, default: false' : words;
        assert.ok(line.includes(`(${said}`), `${name}: ${line}`);
      }
    }
  },
};
