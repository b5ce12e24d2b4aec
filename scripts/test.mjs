// npm test: all checks and tests. `node scripts/test.mjs check` runs the quick part; any step or group can be named:
// check (format-and-lint, types, unused, architecture, unit), store, integration, faults, e2e.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';

const reports = path.join(root, '.cache/test');
/** Lines of each failed step's errors that are repeated at the end. */
const errorLinesShown = 60;

const commands = {
  'format-and-lint': ['biome', 'ci', '--error-on-warnings', '.'],
  types: ['tsc', '-p', '.'],
  unused: ['knip', '--no-progress', '--treat-config-hints-as-errors'],
  architecture: ['node', 'scripts/architecture.ts'],
};
const check = [...Object.keys(commands), 'unit'];
const projects = ['unit', 'slow-unit', 'store', 'integration', 'faults', 'e2e'];
/** Projects that run at the same time: faults mostly wait, integration mostly computes. */
const together = 'integration+faults';
const isProject = (name) => name.split('+').every((one) => projects.includes(one));

const named = process.argv.slice(2);
const steps = (named.length === 0 ? ['check', 'slow-unit', 'store', together, 'e2e'] : named).flatMap(
  (name) => (name === 'check' ? check : [name]),
);
const unknown = steps.find((name) => !(name in commands) && !isProject(name));
if (unknown) {
  console.error(
    `There is no step ${unknown}: name ${['check', ...Object.keys(commands), ...projects].join(', ')}.`,
  );
  process.exit(1);
}

bootstrap();
mkdirSync(reports, { recursive: true });
// Prefer the installed tools and the installed Node to those of the machine.
const env = {
  ...process.env,
  PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
};

const results = steps.map((name) => {
  console.log(`\n— ${name}`);
  if (name.includes('integration') && env.TEST_LONG !== '1')
    console.log('Not tested here: memory with files of hundreds of megabytes; npm run test:long does.');
  const result = name in commands ? runCommand(name) : runProject(name);
  return { name, ...result };
});

const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
const broken = results.filter((result) => result.failed > 0);
// Repeat the errors at the end of the output, where they are found.
for (const { name, errors } of broken) console.log(`\nFailed: ${name}\n${lastLines(errors)}`);
const totals = `${passed} passed, ${failed} failed`;
writeFileSync(path.join(reports, 'totals.txt'), `${totals}\n`);
console.log(`\n${totals}`);
process.exit(failed === 0 ? 0 : 1);

/** A command counts as one test. */
function runCommand(name) {
  const { ok, errors } = run(name, commands[name], 'all');
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, errors };
}

/** A project of Vitest, or several with '+' between them, counts its tests; a file that could not be loaded, or an error outside of tests, counts as one. */
function runProject(name) {
  const report = path.join(reports, `${name}.json`);
  rmSync(report, { force: true });
  const chosen = name.split('+').flatMap((one) => ['--project', one]);
  const args = ['run', ...chosen, '--reporter=default', '--reporter=json', `--outputFile=${report}`];
  const { ok, errors } = run(name, ['vitest', ...args], 'errors');
  const counted = readReport(report);
  return { ...counted, failed: ok ? counted.failed : Math.max(counted.failed, 1), errors };
}

/**
 * Runs a program. Its errors, or its whole output, go into a file and are shown at the end: with a pipe, this would
 * wait for every process that the program left behind.
 */
function run(name, [command, ...args], streams) {
  const file = path.join(reports, `${name}.errors.txt`);
  const out = openSync(file, 'w');
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: ['inherit', streams === 'errors' ? 'inherit' : out, out],
  });
  closeSync(out);
  const errors = `${readFileSync(file, 'utf8')}${error ?? ''}`;
  process.stdout.write(errors);
  return { ok: status === 0, errors };
}

function lastLines(text) {
  return text.trimEnd().split('\n').slice(-errorLinesShown).join('\n');
}

function readReport(report) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
