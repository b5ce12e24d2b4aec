import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../support/fixture.ts';
import { run, works } from './run.ts';

/** A container engine. `env`: the environment of its clients. `isOurs`: started here, without images. */
export type Engine = { isOurs: boolean; env: NodeJS.ProcessEnv; stop(): Promise<void> };

const readyMsMax = 60_000;

/** The running engine of this machine, or undefined. */
export async function findEngine(): Promise<Engine | undefined> {
  const env = clientEnv(process.env.DOCKER_HOST);
  if (!(await works('docker', ['version'], env))) return undefined;
  return { isOurs: false, env, stop: async () => {} };
}

/** Only what clients need: variables of this shell must not get into the compose file. */
function clientEnv(host: string | undefined): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, ...(host ? { DOCKER_HOST: host } : {}) };
}

const packages = ['docker.io', 'docker-compose', 'debootstrap', 'iptables', 'iproute2'];

/**
 * Starts an engine that stores everything below `dir`. Installs missing Debian packages, which stay installed.
 *
 * @throws Error if that is impossible: not Linux, not root, no apt
 */
export async function startEngine(dir: string): Promise<Engine> {
  if (process.getuid?.() !== 0 || !(await works('apt-get', ['--version']))) {
    throw new Error('There is no container engine, and to bring one up takes root and apt (Debian, Ubuntu).');
  }
  await install();
  const host = `unix://${path.join(dir, 'docker.sock')}`;
  const log = path.join(dir, 'dockerd.log');
  const hadBridge = await hasBridge();
  const daemon = await startDaemon(dir, host, log);
  const env = clientEnv(host);
  const stop = async () => {
    if (daemon.exitCode === null && daemon.signalCode === null) {
      const ended = once(daemon, 'exit');
      daemon.kill('SIGTERM');
      await ended;
    }
    await unmountBelow(dir);
    // The engine does not remove its bridge.
    if (!hadBridge && (await hasBridge())) await run('ip', ['link', 'delete', bridge]);
  };
  try {
    await until(
      'the engine answers',
      async () => {
        if (daemon.exitCode !== null)
          throw new Error(`dockerd ended:\n${(await readFile(log, 'utf8')).slice(-2000)}`);
        return works('docker', ['version'], env);
      },
      readyMsMax,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { isOurs: true, env, stop };
}

/** A stopped engine leaves a network namespace mounted. */
async function unmountBelow(dir: string): Promise<void> {
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
  for (const mount of mounts.filter((at) => at.startsWith(`${dir}/`)).toReversed())
    await run('umount', [mount]);
}

const bridge = 'docker0';
const hasBridge = () => works('test', ['-e', `/sys/class/net/${bridge}`]);

async function install(): Promise<void> {
  const commands = ['dockerd', 'docker-compose', 'debootstrap', 'iptables', 'ip'];
  const missing = await Promise.all(commands.map(async (command) => !(await works('which', [command]))));
  if (!missing.includes(true)) return;
  // RUNLEVEL=1 prevents packages from starting services: this engine is started and stopped here.
  const env = { ...process.env, RUNLEVEL: '1', DEBIAN_FRONTEND: 'noninteractive' };
  const apt = ['-o', 'DPkg::Lock::Timeout=300'];
  await run('apt-get', [...apt, 'update'], { env });
  await run('apt-get', [...apt, 'install', '--yes', '--no-install-recommends', ...packages], { env });
}

async function startDaemon(dir: string, host: string, log: string): Promise<ChildProcess> {
  const at = (name: string) => path.join(dir, name);
  const own = [
    '--data-root',
    at('data'),
    '--exec-root',
    at('exec'),
    '--pidfile',
    at('docker.pid'),
    '-H',
    host,
  ];
  // No firewall rules and no routing: docker-proxy forwards ports, and nothing remains afterwards.
  const quiet = ['--iptables=false', '--ip6tables=false', '--ip-forward=false', '--log-level=warn'];
  const output = await open(log, 'a');
  try {
    // Its own process group: Ctrl-C goes to this program, which then stops the engine in order.
    return spawn('dockerd', [...own, ...quiet], {
      stdio: ['ignore', output.fd, output.fd],
      detached: true,
    });
  } finally {
    await output.close();
  }
}
