import { formatCount } from '../../lib/intl.ts';

/** Result of a test; the specification names these five parts. */
export type TestResult = {
  name: string;
  status: 'passed' | 'failed' | 'warning';
  details: string;
  /** In milliseconds. */
  duration: number;
  data?: unknown;
};

/** The state of the test runner. */
export type RunnerState = 'idle' | 'running' | 'complete';

/** The words of the specification for a test. */
export type TestWord = 'PASS' | 'FAIL' | 'WARN' | 'RUN' | 'PENDING';

const words = { passed: 'PASS', failed: 'FAIL', warning: 'WARN' } as const;

export function testWord(result: TestResult | undefined, isRunning: boolean): TestWord {
  if (result !== undefined) return words[result.status];
  return isRunning ? 'RUN' : 'PENDING';
}

/** '12 passed, 0 failed, 1 warning · 340 ms'. */
export function totalsOf(results: readonly TestResult[]): string {
  const count = (status: TestResult['status']) => results.filter((one) => one.status === status).length;
  const totalMs = results.reduce((sum, { duration }) => sum + duration, 0);
  const warnings = count('warning');
  return [
    `${formatCount(count('passed'))} passed, ${formatCount(count('failed'))} failed, `,
    `${formatCount(warnings)} ${warnings === 1 ? 'warning' : 'warnings'} of ${formatCount(results.length)}`,
    ` · ${formatCount(Math.round(totalMs))} ms`,
  ].join('');
}
