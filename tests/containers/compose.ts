import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Engine } from './engine.ts';
import { run, works } from './run.ts';

export type Service =
  | 'postgres'
  | 'redis'
  | 'minio'
  | 'migrate'
  | 'api'
  | 'parse-worker'
  | 'enrich-worker'
  | 'push-worker'
  | 'folder-worker'
  | 'keeper'
  | 'store-simulator';

/** The state of a container as the engine reports it. */
export type Container = {
  id: string;
  name: string;
  service: Service;
  running: boolean;
  health: string | undefined;
  exitCode: number;
  restarts: number;
  address: string;
};

/** docker-compose.yml as a separate project on an engine, which also publishes Postgres. */
export type Project = {
  /** The name and version of compose. */
  version: string;
  compose(...args: string[]): Promise<string>;
  containers(): Promise<Container[]>;
  /** Ends the main process of a container like a crash: from outside, with SIGKILL, without using the engine. */
  crash(container: Container): Promise<void>;
  /** Runs JavaScript in a container; returns its output. */
  evaluate(service: Service, script: string): Promise<string>;
  /** Address and port on this machine for a service's port. */
  published(service: Service, port: number): Promise<string>;
};

const name = 'draftshelf-containers-test';

/** Prepares the project; nothing runs until `compose('up', …)`. */
export async function openProject(options: {
  engine: Engine;
  root: string;
  dir: string;
  env: Record<string, string>;
}): Promise<Project> {
  const { engine, root, dir } = options;
  const envFile = path.join(dir, 'compose.env');
  const lines = Object.entries(options.env).map(([key, value]) => `${key}=${value}\n`);
  await writeFile(envFile, lines.join(''), { mode: 0o600 });
  const override = path.join(dir, 'compose.test.yml');
  await writeFile(override, 'services: { postgres: { ports: ["127.0.0.1::5432"] } }\n');
  const [command, ...before] = (await works('docker', ['compose', 'version'], engine.env))
    ? ['docker', 'compose']
    : ['docker-compose'];
  const files = ['--file', path.join(root, 'docker-compose.yml'), '--file', override];
  const project = ['--project-name', name, '--project-directory', root, '--env-file', envFile];
  const docker = (...args: string[]) => run('docker', args, { env: engine.env });
  const compose = (...args: string[]) =>
    run(command ?? '', [...before, ...files, ...project, ...args], { cwd: root, env: engine.env });
  return {
    version: await run(command ?? '', [...before, 'version', '--short'], { env: engine.env }),
    compose,
    async containers() {
      const ids = await docker(
        'ps',
        '--all',
        '--quiet',
        '--filter',
        `label=com.docker.compose.project=${name}`,
      );
      if (ids === '') return [];
      return (JSON.parse(await docker('inspect', ...ids.split('\n'))) as Inspected[]).map(toContainer);
    },
    async crash(container) {
      const pid = await docker('inspect', '--format', '{{.State.Pid}}', container.id);
      // PID 1 cannot be killed from inside its container; a container that sees all processes can kill it.
      const from = ['--rm', '--pid', 'host', '--user', '0', '--network', 'none', 'draftshelf:local'];
      await docker('run', ...from, 'node', '--eval', `process.kill(${Number(pid)}, 'SIGKILL')`);
    },
    evaluate: (service, script) => compose('exec', '-T', service, 'node', '--eval', script),
    published: (service, port) => compose('port', service, String(port)),
  };
}

type Inspected = {
  Id: string;
  Name: string;
  RestartCount: number;
  State: { Running: boolean; ExitCode: number; Health?: { Status: string } };
  Config: { Labels: Record<string, string> };
  NetworkSettings: { Networks: Record<string, { IPAddress: string }> };
};

function toContainer(found: Inspected): Container {
  return {
    id: found.Id,
    name: found.Name.replace(/^\//, ''),
    service: found.Config.Labels['com.docker.compose.service'] as Service,
    running: found.State.Running,
    health: found.State.Health?.Status,
    exitCode: found.State.ExitCode,
    restarts: found.RestartCount,
    address: Object.values(found.NetworkSettings.Networks)[0]?.IPAddress ?? '',
  };
}
