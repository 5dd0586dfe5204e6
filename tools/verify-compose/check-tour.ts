import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installBackends, kubectlFile, pollUntil } from '@binnacle/backends';
import type { Check, CheckContext } from './checks.ts';

const runFile = promisify(execFile);

/** The README's tour with kubectl, block by block as it stands there. */
export const tourChecks: readonly Check[] = [{ what: "the README's tour with kubectl", run: tour }];

async function tour(context: CheckContext): Promise<string> {
  await installBackends(['kubectl']);
  const blocks = tourBlocks(readFileSync(join(context.directory, 'README.md'), 'utf8'));
  assert.ok(blocks.length >= 5, 'the README has fewer blocks than its tour needs');
  const environment = {
    ...process.env,
    KUBECONFIG: context.adminConfiguration,
    PATH: `${dirname(kubectlFile())}:${process.env['PATH']}`,
  };
  const watch = await startWatch(environment);
  try {
    let conflicts = 0;
    for (const block of blocks) {
      const { code, text } = await runBlock(block, environment);
      // The block of the other manager ends with a conflict, as the README says.
      const isConflict = block.includes('--field-manager=painter');
      if (isConflict) conflicts++;
      assert.equal(code !== 0, isConflict, `${block}\n${text}`);
      if (isConflict) assert.match(text, /conflict/i);
      if (block.includes('create configmap')) assert.match(text, /colour: blue/);
      if (block.includes('explain')) assert.match(text, /FIELD|FIELDS/);
      if (block.includes('kind: ConfigMap') && !isConflict)
        await pollUntil('the watch to see the changes', () => watch.seen() >= 4, { timeoutMs: 20_000 });
    }
    assert.equal(conflicts, 1);
    return `${blocks.length} blocks, ${watch.seen()} changes on the watch`;
  } finally {
    watch.stop();
  }
}

/** The indented-free code blocks of the section, without the line that names another client configuration. */
function tourBlocks(readme: string): string[] {
  const section = readme.split('## Five minutes with kubectl')[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^```sh .*\n([\s\S]*?)^```$/gm)].map(([, text = '']) =>
    text.replace(/^export KUBECONFIG=.*\n/m, ''),
  );
}

async function runBlock(block: string, env: NodeJS.ProcessEnv): Promise<{ code: number; text: string }> {
  try {
    const { stdout, stderr } = await runFile('/bin/sh', ['-ec', block], { env, timeout: 120_000 });
    return { code: 0, text: `${stdout}${stderr}` };
  } catch (thrown) {
    const { code, stdout, stderr } = thrown as { code?: number; stdout?: string; stderr?: string };
    return { code: code ?? -1, text: `${stdout ?? ''}${stderr ?? ''}` };
  }
}

/** The watch of the README's second terminal, from before the namespace is there. */
async function startWatch(env: NodeJS.ProcessEnv) {
  const script =
    'kubectl get configmaps --all-namespaces --field-selector=metadata.name=settings -w --no-headers';
  const child = spawn('/bin/sh', ['-c', `exec ${script}`], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let lines = 0;
  child.stdout.on('data', (data: Buffer) => {
    lines += data.toString().split('\n').length - 1;
  });
  return { seen: () => lines, stop: () => void child.kill() };
}
