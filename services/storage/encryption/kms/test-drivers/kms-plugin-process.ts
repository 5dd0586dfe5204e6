import { KmsPlugin } from './kms-plugin.ts';

// A plugin in a process of its own, for tests that kill or freeze it: its endpoint and the file of its keys are its arguments.
const [endpoint = '', keyFile = ''] = process.argv.slice(2);
const plugin = await KmsPlugin.start({ endpoint, keyFile });
process.on('message', message => {
  if (message === 'rotate') process.send?.(plugin.rotate());
  if (message === 'forget-old-keys') {
    plugin.forgetOldKeys();
    process.send?.('forgotten');
  }
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
