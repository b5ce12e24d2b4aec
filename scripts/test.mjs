// npm test: all checks and tests. Arguments choose a part: steps (format-and-lint, types, unused, architecture, unit,
// or check for these five; slow-unit, store, integration, faults, e2e; of the long form integration-long,
// faults-storms, e2e-long), and test files or folders by their paths, whatever project they belong to. -t NAME runs
// only the tests whose names contain NAME.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { readArguments } from './test-arguments.mjs';

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
/** The projects whose files are only in the long form, npm run test:long. */
const longProjects = ['integration-long', 'faults-storms', 'e2e-long'];
const projects = ['unit', 'slow-unit', 'store', 'integration', 'faults', 'e2e', ...longProjects];
/** Projects that run at the same time: few files take long, and each run of Vitest has to start. */
const units = 'unit+slow-unit+store';
/** Faults mostly wait, integration mostly computes. */
const together = 'integration+faults';
/** What the short form of a step leaves to the long one. */
const notInShort = {
  integration:
    'memory with files of hundreds of megabytes, whole backups, the restore of a million rows, quotas, four push workers, each hostile text in every call, and tests marked isLong',
  faults: 'rounds of faults on both queue backends, and the storms of folders, scanner and added rows',
  e2e: 'further widths, themes and states, two apis and a night (tests/e2e/long), and tests marked isLong',
};
const leftToLong = { ...notInShort, [together]: `${notInShort.integration}; ${notInShort.faults}` };
const isProject = (name) => name.split('+').every((one) => projects.includes(one));

const isStep = (name) => name === 'check' || name in commands || isProject(name);
const named = readArguments(process.argv.slice(2), isStep);
if (named.problem) {
  const names = ['check', ...Object.keys(commands), ...projects].join(', ');
  console.error(`${named.problem} Name test files or folders below the root, or steps: ${names}.`);
  process.exit(1);
}
const isLong = process.env.TEST_LONG === '1';
const all = [...Object.keys(commands), units, together, 'e2e', ...(isLong ? longProjects : [])];
const steps = (named.steps.length + named.paths.length === 0 ? all : named.steps).flatMap((name) =>
  name === 'check' ? check : [name],
);
/** Vitest finds the project of each file by its path. */
const files = 'files';
if (named.paths.length > 0) steps.push(files);

bootstrap();
mkdirSync(reports, { recursive: true });
// Prefer the installed tools and the installed Node to those of the machine.
const env = {
  ...process.env,
  PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
};

const results = steps.map((name) => {
  console.log(`\n— ${name}`);
  if (!isLong && name in leftToLong)
    console.log(`Not tested here: ${leftToLong[name]}; npm run test:long does.`);
  const result = name in commands ? runCommand(name) : runProject(name);
  return { name, ...result };
});

const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
const broken = results.filter((result) => result.failed > 0);
// Repeat the errors at the end of the output, where they are found.
for (const { name, errors } of broken) {
  const way =
    name === 'format-and-lint' ? '\nnpm run format -- FILE… formats, and mends what can be mended.' : '';
  console.log(`\nFailed: ${name}\n${lastLines(errors)}${way}`);
}
const totals = `${passed} passed, ${failed} failed`;
writeFileSync(path.join(reports, 'totals.txt'), `${totals}\n`);
console.log(`\n${totals}`);
process.exit(failed === 0 ? 0 : 1);

/** A command counts as one test. */
function runCommand(name) {
  const { ok, errors } = run(name, commands[name], 'all');
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, errors };
}

/**
 * A project of Vitest, or several with '+' between them, counts its tests; a file that could not be loaded, or an error
 * outside of tests, counts as one.
 */
function runProject(name) {
  const report = path.join(reports, `${name}.json`);
  rmSync(report, { force: true });
  const chosen = name === files ? named.paths : name.split('+').flatMap((one) => ['--project', one]);
  const pattern = named.pattern ? ['-t', named.pattern] : [];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`];
  const { ok, errors } = run(name, ['vitest', 'run', ...chosen, ...pattern, ...reporters], 'errors');
  const counted = readReport(report);
  if (ok && counted.passed === 0) {
    return { passed: 0, failed: 1, errors: `No test of ${name} has a name with "${named.pattern}".` };
  }
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
