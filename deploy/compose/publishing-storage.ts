import type { Distributed } from './start-distributed.ts';

/** The name of the storage process that publishes at the moment, by its own metrics. */
export async function publishingStorage(form: Distributed): Promise<string> {
  for (;;) {
    for (const name of ['storage-1', 'storage-2']) {
      const metrics = await fetch(`http://127.0.0.1:${form.operationsPort(name)}/metrics`).then(
        answer => answer.text(),
        () => '',
      );
      if (/^binnacle_storage_leader 1$/m.test(metrics)) return name;
    }
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}
