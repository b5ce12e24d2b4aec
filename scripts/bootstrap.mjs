// Plain JavaScript that runs on any Node from 20 on, before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const pnpmVersion = '12.21.0';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const node = path.join(root, 'node_modules/node/bin/node');
const stampFile = path.join(root, 'node_modules/.installed-for');

/**
 * Installs the dependencies, unless they already match the lockfile for this machine; then it neither starts a package
 * manager nor uses the network. Exits with a plain sentence if it fails.
 *
 * @returns {string} the Node that runs the product
 */
export function bootstrap() {
  const nodeVersion = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).devDependencies.node;
  const stamp = stampFor(nodeVersion);
  if (existsSync(node) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return node;

  console.error('Installing (once per change of the dependencies) …');
  // Without --prefer-offline, npx waits more than a minute for the registry if there is no network.
  const packages = ['-p', `node@${nodeVersion}`, '-p', `pnpm@${pnpmVersion}`];
  const install = ['--prefer-offline', '-y', ...packages, '-c', 'pnpm install --frozen-lockfile'];
  const done = spawnSync('npx', install, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (done.status !== 0) {
    const why = done.error ? ` (${done.error.message})` : '';
    console.error(`The dependencies could not be installed${why}. The first start needs the npm registry.`);
    process.exit(1);
  }
  writeFileSync(stampFile, stamp);
  return node;
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

function stampFor(nodeVersion) {
  const lockfile = createHash('sha256')
    .update(readFileSync(path.join(root, 'pnpm-lock.yaml')))
    .digest('hex');
  return `${lockfile} node ${nodeVersion} pnpm ${pnpmVersion} ${process.platform}-${process.arch}\n`;
}
