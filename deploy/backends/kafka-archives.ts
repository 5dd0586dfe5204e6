import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startKafka } from './kafka.ts';
import { executableOnPath, kafkaClassArchive, kafkaLibraryDirectory } from './locations.ts';
import { runCommand } from './run-command.ts';

const projectFile = join(import.meta.dirname, 'kafka/pom.xml');
const stampName = 'installed';
/** Longest time that Java may take to write the class archive when Kafka stops. */
const archiveTimeoutMs = 120_000;

/** Says whether the Kafka archives are there, in the versions that `kafka/pom.xml` names. */
export function hasKafkaArchives(): boolean {
  const stamp = join(kafkaLibraryDirectory(), stampName);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === projectDigest();
}

/**
 * Fetches Kafka and what it needs at run time through Maven into `.backends/kafka`, and starts it once to archive its
 * classes.
 */
export async function fetchKafkaArchives(): Promise<void> {
  for (const [tool, packageName] of [
    ['java', 'openjdk-17-jre-headless'],
    ['mvn', 'maven'],
  ] as const) {
    if (executableOnPath(tool) === undefined) {
      throw new Error(`Kafka needs ${tool}, which is missing: install the package ${packageName}`);
    }
  }
  const directory = kafkaLibraryDirectory();
  const staging = mkdtempSync(`${directory}.new-`);
  try {
    const copy = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${staging}`];
    const mavenArguments = ['-B', '-q', '-f', projectFile, ...copy];
    // A download that breaks off is the usual failure; what was fetched before is kept by Maven.
    await runCommand('mvn', mavenArguments).catch(() => runCommand('mvn', mavenArguments));
    rmSync(directory, { recursive: true, force: true });
    renameSync(staging, directory);
    await archiveClasses();
    writeFileSync(join(directory, stampName), projectDigest());
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Writes the class archive, and keeps it if Kafka starts from it: Java crashes at an archive that is cut off. */
async function archiveClasses(): Promise<void> {
  const writer = await startKafka({ archivesClasses: true, stopTimeoutMs: archiveTimeoutMs });
  await writer.stop();
  try {
    const reader = await startKafka();
    await reader.stop();
  } catch {
    // Kafka starts without it as well, only slower.
    rmSync(kafkaClassArchive(), { force: true });
  }
}

function projectDigest(): string {
  return createHash('sha256').update(readFileSync(projectFile)).update('class archive').digest('hex');
}
