// npm test: all checks and tests. Arguments choose a part: steps (format-and-lint, types, unused, architecture, unit,
// or check for these five; slow-unit, store, integration, faults, e2e; of the long form integration-long,
// faults-storms, e2e-long), and test files or folders by their paths, whatever project they belong to. -t NAME runs
// only the tests whose names contain NAME.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { readArguments } from './test-arguments.mjs';

const reports = path.join(root, '.cache/test');
/** Lines of each failed step's errors that are repeated at the end. */
const errorLinesShown = 60;
/** As many failed files are run again by themselves. More than these are not a busy machine's doing. */
const repeatedFilesMax = 3;

/** Each checker makes the shared types anew: on two cores the default of four takes a third more processor time. */
const checkers = Math.min(4, availableParallelism());

const commands = {
  'format-and-lint': ['biome', 'ci', '--error-on-warnings', '.'],
  types: ['tsc', '-p', '.', '--checkers', String(checkers)],
  unused: ['knip', '--no-progress', '--treat-config-hints-as-errors'],
  architecture: ['node', 'scripts/architecture.ts'],
};
/** Bundles the processes of tests, which two runs of Vitest at the same time would both do. */
const bundle = [
  ...['node', '--input-type=module', '--eval'],
  "const { compileApps } = await import('./infra/compile-apps.ts'); await compileApps(process.cwd() + '/');",
];
/** The projects whose files are only in the long form, npm run test:long. */
const longProjects = ['integration-long', 'faults-storms', 'e2e-long'];
const projects = ['unit', 'slow-unit', 'store', 'integration', 'faults', 'e2e', ...longProjects];
/** Projects that run at the same time: few files take long, and each run of Vitest has to start. */
const units = 'unit+slow-unit+store';
const together = 'integration+e2e';
/** What the short form of a step leaves to the long one. */
const notInShort = {
  [units]:
    'a store that is killed, a Postgres that was killed in its first start or has no user namespaces, and more random products, metafields, chunks and pictures',
  integration:
    'memory with files of hundreds of megabytes, whole backups, the restore and the upgrade of a million rows, quotas, four push workers, lists from addresses that push themselves, random histories of lists, recipes and sheets, hostile texts and files, limits and ends of re-reads, rules of alerts, calls under way, lost answers, conversions, changes of the store, keys of sources, SFTP, limits of services, questions to AI, gone products, undos of variants, workers that are killed during look-ups, each kind of periodic work, and tests marked isLong',
  faults:
    'rounds of faults with a kill of the queue, the storms of a push, an undo, of commands, folders, addresses, scanner and added rows, edits during a push, six months of suppliers, re-reads, and kills while files, lists, photos, AI and products that are gone are worked on',
  e2e: 'further widths, themes, states and variants of stories, the frame, notices, the palette, polls, removal, Bull Board, fields of the store, secrets in replies, sample files, effects of settings, file formats and workbooks, folders, camera and photos, look-ups, rules, variants, gone products, recipes, lists from addresses, re-reads, proposals and AI, the history of changes, two apis and a night (tests/e2e/long), and tests marked isLong',
};
const leftToLong = { ...notInShort, [together]: `${notInShort.integration}; ${notInShort.e2e}` };
const isProject = (name) => name.split('+').every((one) => projects.includes(one));

const isStep = (name) => name === 'check' || name in commands || isProject(name);
const named = readArguments(process.argv.slice(2), isStep);
if (named.problem) {
  const names = ['check', ...Object.keys(commands), ...projects].join(', ');
  console.error(`${named.problem} Name test files or folders below the root, or steps: ${names}.`);
  process.exit(1);
}
const isLong = process.env.TEST_LONG === '1';
/** Steps that run at the same time. Faults mostly wait, the tests beside them mostly compute. */
const all = [
  Object.keys(commands),
  [units],
  ['faults', together],
  ...(isLong ? longProjects : []).map((name) => [name]),
];
const groups =
  named.steps.length + named.paths.length === 0
    ? all
    : named.steps.flatMap((name) => (name === 'check' ? [Object.keys(commands), ['unit']] : [[name]]));
/** Vitest finds the project of each file by its path. */
const files = 'files';
if (named.paths.length > 0) groups.push([files]);

bootstrap();
mkdirSync(reports, { recursive: true });
// Prefer the installed tools and the installed Node to those of the machine.
const env = {
  ...process.env,
  PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
};

const results = [];
for (const names of groups) {
  for (const name of names) {
    console.log(`\n— ${name}`);
    if (!isLong && name in leftToLong)
      console.log(`Not tested here: ${leftToLong[name]}; npm run test:long does.`);
  }
  // If it fails, the tests say why.
  if (names.filter(isProject).length > 1) await run('bundle', bundle);
  // The output of one of them is shown at once.
  const last = names.at(-1);
  results.push(
    ...(await Promise.all(
      names.map(async (name) => {
        const result = name in commands ? await runCommand(name) : await runProject(name, name !== last);
        return { name, ...result };
      }),
    )),
  );
}

for (const result of results) {
  if (named.paths.length === 0 && isProject(result.name) && result.failed > 0) await repeatFailed(result);
}

const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
const broken = results.filter((result) => result.failed > 0);
// Repeat the errors at the end of the output, where they are found.
for (const { name, errors } of broken) {
  const way =
    name === 'format-and-lint' ? '\nnpm run format -- FILE… formats, and mends what can be mended.' : '';
  console.log(`\nFailed: ${name}\n${lastLines(errors)}${way}`);
}
// A test that passed only by itself is a fault still: it is named, with what it said first.
for (const { name, unsteady } of results) {
  if (unsteady)
    console.log(
      `\nUnsteady: ${name}, passed when repeated alone: ${unsteady.files.join(', ')}\n${lastLines(unsteady.errors)}`,
    );
}
const totals = `${passed} passed, ${failed} failed`;
writeFileSync(path.join(reports, 'totals.txt'), `${totals}\n`);
console.log(`\n${totals}`);
process.exit(failed === 0 ? 0 : 1);

/** A command counts as one test. */
async function runCommand(name) {
  const { ok, errors } = await run(name, commands[name]);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, errors };
}

/**
 * A project of Vitest, or several with '+' between them. `isBeside`: another one runs at the same time, which leaves it
 * fewer workers.
 */
async function runProject(name, isBeside) {
  const chosen = name === files ? named.paths : inProjects(name);
  const pattern = named.pattern ? ['-t', named.pattern] : [];
  const workers = isBeside ? [`--maxWorkers=${availableParallelism()}`] : [];
  const counted = await runVitest(
    name,
    [...chosen, ...pattern, ...workers],
    isBeside ? `${name}.log` : 'inherit',
  );
  if (counted.failed === 0 && counted.passed === 0) {
    return { passed: 0, failed: 1, errors: `No test of ${name} has a name with "${named.pattern}".` };
  }
  return counted;
}

function inProjects(name) {
  // Those of the web app are a project of their own: unit-web.
  return name.split('+').flatMap((one) => ['--project', one === 'unit' ? 'unit*' : one]);
}

/** Counts tests; a file that could not be loaded, or an error outside of tests, counts as one. */
async function runVitest(name, chosen, output) {
  const report = path.join(reports, `${name}.json`);
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`];
  const { ok, errors } = await run(name, ['vitest', 'run', ...chosen, ...reporters], output);
  const counted = readReport(report);
  return { ...counted, failed: ok ? counted.failed : Math.max(counted.failed, 1), errors };
}

/**
 * Runs the failed files of a project again, with nothing beside them, and counts what passes now as passed. They run as
 * a whole: their tests share what they set up. An error outside of tests is none that a file could repeat.
 */
async function repeatFailed(result) {
  const { name, errors, failedFiles = [] } = result;
  if (failedFiles.length === 0 || failedFiles.length > repeatedFilesMax) return;
  if (/unhandled error/i.test(errors)) return;
  const repeated = failedFiles.map(({ file }) => path.relative(root, file));
  console.log(`\n— ${name}, repeated alone: ${repeated.join(', ')}`);
  const chosen = [...inProjects(name), ...repeated, '--maxWorkers=1'];
  const { passed, failed } = await runVitest('repeated', chosen, 'inherit');
  if (failed > 0) return;
  const passedBefore = failedFiles.reduce((sum, file) => sum + file.passed, 0);
  Object.assign(result, { passed: result.passed - passedBefore + passed, failed: 0 });
  result.unsteady = { files: repeated, errors };
}

/**
 * Runs a program. Its errors go into a file and are shown at the end: with a pipe, this would wait for every process
 * that the program left behind. `output`: 'inherit', or the file for the rest, by default that of the errors.
 */
async function run(name, [command, ...args], output = `${name}.errors.txt`) {
  const errorFile = path.join(reports, `${name}.errors.txt`);
  const files = new Set([errorFile, ...(output === 'inherit' ? [] : [path.join(reports, output)])]);
  const opened = new Map(Array.from(files, (file) => [file, openSync(file, 'w')]));
  const out = output === 'inherit' ? output : opened.get(path.join(reports, output));
  const child = spawn(command, args, { cwd: root, env, stdio: ['inherit', out, opened.get(errorFile)] });
  const [status, error] = await once(child, 'exit').catch((cause) => [null, cause]);
  for (const descriptor of opened.values()) closeSync(descriptor);
  for (const file of [...files].reverse()) process.stdout.write(readFileSync(file, 'utf8'));
  return { ok: status === 0, errors: `${readFileSync(errorFile, 'utf8')}${status === null ? error : ''}` };
}

function lastLines(text) {
  return text.trimEnd().split('\n').slice(-errorLinesShown).join('\n');
}

/** `failedFiles`: also those that could not be loaded. */
function readReport(report) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const failedFiles = testResults
      .filter(({ status }) => status === 'failed')
      .map(({ name, assertionResults }) => ({
        file: name,
        passed: assertionResults.filter(({ status }) => status === 'passed').length,
      }));
    return { passed: numPassedTests, failed: numFailedTests, failedFiles };
  } catch {
    return { passed: 0, failed: 1, failedFiles: [] };
  }
}
