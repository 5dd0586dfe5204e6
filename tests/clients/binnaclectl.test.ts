import { after, before, suite } from 'node:test';
import { registerCompletionTests } from './binnaclectl/register-completion-tests.ts';
import { registerCredentialTests } from './binnaclectl/register-credential-tests.ts';
import { registerDescribeTests } from './binnaclectl/register-describe-tests.ts';
import { registerDiffTests } from './binnaclectl/register-diff-tests.ts';
import { registerEditTests } from './binnaclectl/register-edit-tests.ts';
import { registerFailureTests } from './binnaclectl/register-failure-tests.ts';
import { registerQuestionTests } from './binnaclectl/register-question-tests.ts';
import { registerReadTests } from './binnaclectl/register-read-tests.ts';
import { registerWaitTests } from './binnaclectl/register-wait-tests.ts';
import { registerWatchTests } from './binnaclectl/register-watch-tests.ts';
import { registerWriteTests } from './binnaclectl/register-write-tests.ts';
import { createBinnaclectl } from './binnaclectl/start-binnaclectl.ts';

suite('binnaclectl', () => {
  const binnaclectl = createBinnaclectl();
  before(() => binnaclectl.begin());
  after(() => binnaclectl[Symbol.asyncDispose]());

  registerReadTests(binnaclectl);
  registerFailureTests(binnaclectl);
  registerWatchTests(binnaclectl);
  registerWriteTests(binnaclectl);
  registerWaitTests(binnaclectl);
  registerDiffTests(binnaclectl);
  registerDescribeTests(binnaclectl);
  registerEditTests(binnaclectl);
  registerQuestionTests(binnaclectl);
  registerCredentialTests(binnaclectl);
  registerCompletionTests(binnaclectl);
});
