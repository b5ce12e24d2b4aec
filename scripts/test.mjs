// npm test: everything that must hold. `node scripts/test.mjs check` runs the quick part, and any step or group can be
// named: check (format-and-lint, types, unused, architecture, unit), store, integration, faults, e2e.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';

const reports = path.join(root, '.cache/test');

const commands = {
  'format-and-lint': ['biome', 'ci', '--error-on-warnings', '.'],
  types: ['tsc', '-p', '.'],
  unused: ['knip', '--no-progress', '--treat-config-hints-as-errors'],
  architecture: ['node', 'scripts/architecture.ts'],
};
const check = [...Object.keys(commands), 'unit'];
const projects = ['unit', 'store', 'integration', 'faults', 'e2e'];

const named = process.argv.slice(2);
const steps = (named.length === 0 ? ['check', ...projects.slice(1)] : named).flatMap((name) =>
  name === 'check' ? check : [name],
);
const unknown = steps.find((name) => !(name in commands) && !projects.includes(name));
if (unknown) {
  console.error(
    `There is no step ${unknown}: name ${['check', ...Object.keys(commands), ...projects].join(', ')}.`,
  );
  process.exit(1);
}

bootstrap();
mkdirSync(reports, { recursive: true });
// The installed tools and the installed Node come before those of the machine.
const env = {
  ...process.env,
  PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
};

const results = steps.map((name) => {
  console.log(`\n— ${name}`);
  const result = name in commands ? runCommand(commands[name]) : runProject(name);
  return { name, ...result };
});

const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
const broken = results.filter((result) => result.failed > 0).map((result) => result.name);
if (broken.length > 0) console.log(`\nFailed: ${broken.join(', ')}`);
const totals = `${passed} passed, ${failed} failed`;
writeFileSync(path.join(reports, 'totals.txt'), `${totals}\n`);
console.log(`\n${totals}`);
process.exit(failed === 0 ? 0 : 1);

/** A command counts as one test. */
function runCommand([command, ...args]) {
  const ok = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' }).status === 0;
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
}

/** A project of vitest counts as its tests do; a file that could not be loaded, and an error beside, count as one. */
function runProject(name) {
  const report = path.join(reports, `${name}.json`);
  rmSync(report, { force: true });
  const args = ['run', '--project', name, '--reporter=default', '--reporter=json', `--outputFile=${report}`];
  const ok = spawnSync('vitest', args, { cwd: root, env, stdio: 'inherit' }).status === 0;
  const counted = readReport(report);
  return ok ? counted : { ...counted, failed: Math.max(counted.failed, 1) };
}

function readReport(report) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
