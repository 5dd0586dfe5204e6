import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startKafka } from './kafka.ts';
import { executableOnPath, kafkaClassArchive, kafkaLibraryDirectory } from './locations.ts';
import { runCommand } from './run-command.ts';

const projectFile = join(import.meta.dirname, 'kafka/pom.xml');
const stampName = 'installed';
/** Beside the class archive: the Java that has written it. Another one, be it a patch release later, ignores the archive. */
const javaStampName = 'classes.java';
/** Longest time that Java may take to write the class archive when Kafka stops. */
const archiveTimeoutMs = 120_000;

/** Says whether the Kafka archives are there, in the versions that `kafka/pom.xml` names, and their classes archived by this Java. */
export function hasKafkaArchives(): boolean {
  return isStamped(stampName, projectDigest()) && isStamped(javaStampName, javaVersion());
}

/**
 * Fetches Kafka and what it needs at run time through Maven into `.backends/kafka`, where it is not there, and starts it once to
 * archive its classes.
 */
export async function fetchKafkaArchives(): Promise<void> {
  requireTool('java', 'openjdk-17-jre-headless');
  if (!isStamped(stampName, projectDigest())) await fetchJars();
  await archiveClasses();
  stamp(javaStampName, javaVersion());
}

function requireTool(tool: string, packageName: string): void {
  if (executableOnPath(tool) === undefined)
    throw new Error(`Kafka needs ${tool}, which is missing: install the package ${packageName}`);
}

async function fetchJars(): Promise<void> {
  requireTool('mvn', 'maven');
  const directory = kafkaLibraryDirectory();
  const staging = mkdtempSync(`${directory}.new-`);
  try {
    const copy = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${staging}`];
    const mavenArguments = ['-B', '-q', '-f', projectFile, ...copy];
    // A download that breaks off is the usual failure; what was fetched before is kept by Maven.
    await runCommand('mvn', mavenArguments).catch(() => runCommand('mvn', mavenArguments));
    rmSync(directory, { recursive: true, force: true });
    renameSync(staging, directory);
    stamp(stampName, projectDigest());
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Writes the class archive, and keeps it if Kafka starts from it: Java crashes at an archive that is cut off. */
async function archiveClasses(): Promise<void> {
  const archive = kafkaClassArchive();
  const written = `${archive}.new`;
  // Not in its place: servers may be starting from the one that is there.
  const writer = await startKafka({ archivesClassesIn: written, stopTimeoutMs: archiveTimeoutMs });
  await writer.stop();
  try {
    renameSync(written, archive);
    const reader = await startKafka();
    await reader.stop();
  } catch {
    // Kafka starts without it as well, only slower.
    rmSync(archive, { force: true });
  }
}

function isStamped(name: string, expected: string): boolean {
  const file = join(kafkaLibraryDirectory(), name);
  return existsSync(file) && readFileSync(file, 'utf8') === expected;
}

function stamp(name: string, text: string): void {
  writeFileSync(join(kafkaLibraryDirectory(), name), text);
}

function projectDigest(): string {
  return createHash('sha256').update(readFileSync(projectFile)).update('class archive').digest('hex');
}

/** The text with which Java names its build; empty where there is none. */
function javaVersion(): string {
  const java = executableOnPath('java');
  return java === undefined ? '' : execFileSync(java, ['--version'], { encoding: 'utf8' });
}
