// Plain JavaScript that runs on any Node from 20 on, before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
export const pnpmVersion = packageManager.replace(/^pnpm@/, '');
const nodeDir = path.join(root, 'infra/node');
const node = path.join(nodeDir, 'node_modules/.bin/node');
/** So that commands with the installed tools on their path run with the installed Node, too. */
const nodeLink = path.join(root, 'node_modules/.bin/node');
const stampFile = path.join(root, 'node_modules/.installed-for');

/**
 * Installs the dependencies, unless they already match the lockfile for this machine; then it neither starts a package
 * manager nor uses the network. Exits with a plain sentence if it fails. Node itself comes first, checked by npm
 * against the lockfile in infra/node; then everything else is installed with it.
 *
 * @returns {string} the Node that runs the product
 */
export function bootstrap() {
  const stamp = stampFor(['infra/node/package-lock.json', 'pnpm-lock.yaml']);
  if (existsSync(nodeLink) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return node;

  const lack = lackOf(process.platform, process.report.getReport().header.glibcVersionRuntime);
  if (lack !== null) {
    console.error(lack);
    process.exit(1);
  }
  console.error('Installing (once per change of the dependencies) …');
  // Without --prefer-offline, npm waits more than a minute for the registry if there is no network.
  run('npm', ['ci', '--prefix', nodeDir, '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']);
  // npm skips a package that is not for this system, and one that is not what the lockfile names.
  if (!existsSync(node)) {
    console.error(`Node for ${process.platform}-${process.arch} could not be installed from infra/node.`);
    process.exit(1);
  }
  const pnpm = ['-p', `pnpm@${pnpmVersion}`, '-c', 'pnpm install --frozen-lockfile'];
  run('npx', ['--prefer-offline', '-y', ...pnpm], {
    PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
  });
  rmSync(nodeLink, { force: true });
  symlinkSync(path.relative(path.dirname(nodeLink), node), nodeLink);
  writeFileSync(stampFile, stamp);
  return node;
}

/** Returns what a system lacks to run the product; null: nothing. Only Linux with glibc names a version of it. */
export function lackOf(platform, glibc) {
  const instead = 'Run it in a container (docs/OPERATIONS.md)';
  if (platform === 'win32')
    return `Windows lacks the signals and locks that Draftshelf uses. ${instead} or in WSL.`;
  if (platform !== 'linux' || glibc !== undefined) return null;
  return `This Linux lacks glibc, as Alpine does, and Draftshelf’s Node and Postgres need it. ${instead}.`;
}

function run(command, args, env = {}) {
  const options = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } };
  const done = spawnSync(command, args, options);
  if (done.status === 0) return;
  const why = done.error ? ` (${done.error.message})` : '';
  console.error(`The dependencies could not be installed${why}. The first start needs the npm registry.`);
  process.exit(1);
}

/** Runs a command, forwards signals to it, and exits with it. */
export function become(command, args, env) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.on('exit', (code) => process.exit(code ?? 1));
}

function stampFor(lockfiles) {
  const hash = createHash('sha256');
  for (const lockfile of lockfiles) hash.update(readFileSync(path.join(root, lockfile)));
  return `${hash.digest('hex')} pnpm ${pnpmVersion} ${process.platform}-${process.arch}\n`;
}
