import { cp, mkdir, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Images } from './container-images.ts';
import type { Engine } from './engine.ts';
import { run, works } from './run.ts';

const sources = fileURLToPath(new URL('./stand-ins', import.meta.url));

/**
 * Builds images under the names that the product uses, where no registry is available: Debian by debootstrap, with
 * packages of Debian and npm. They test the set-up, but not the versions in the real images.
 *
 * @returns the content behind each name
 */
export async function buildStandIns(options: {
  engine: Engine;
  images: Images;
  root: string;
  dir: string;
  report: (text: string) => void;
}): Promise<Record<keyof Images, string>> {
  const { engine, images, root, dir, report } = options;
  const docker = (...args: string[]) => run('docker', args, { env: engine.env });
  const build = async (name: string, ...tags: string[]) => {
    report(`Building the stand-in for ${name} …`);
    const context = path.join(dir, `image-${name}`);
    await mkdir(context, { recursive: true });
    await gather(name, context, root);
    const args = ['--network', 'host', '--file', path.join(sources, `${name}.Dockerfile`)];
    await docker('build', ...args, ...tags.flatMap((tag) => ['--tag', tag]), context);
    await rm(context, { recursive: true });
  };
  report('Making a Debian base …');
  const tar = await debianTar(root, dir);
  await docker('import', tar, 'stand-in/debian');
  await build('node', 'stand-in/node', images.node);
  await build('postgres', images.postgres);
  await build('redis', images.redis);
  await build('minio', images.minio);
  const versionIn = async (image: string, ...command: string[]) =>
    docker('run', '--rm', '--network', 'none', '--entrypoint', command[0] ?? '', image, ...command.slice(1));
  return {
    node: `npm's node ${await versionIn(images.node, 'node', '--version')} on Debian`,
    postgres: `Debian's ${await versionIn(images.postgres, 'postgres', '--version')}`,
    redis: `Debian's ${(await versionIn(images.redis, 'redis-server', '--version')).split(' sha=')[0]}`,
    minio: 'the S3 server of this project (infra/s3/s3-server.ts)',
  };
}

/** Debian's minimal system; built once and stored with the other caches of the project. */
async function debianTar(root: string, dir: string): Promise<string> {
  const tar = path.join(root, '.cache/containers/debian.tar');
  if (await works('test', ['-s', tar])) return tar;
  await mkdir(path.dirname(tar), { recursive: true });
  const release = await readFile('/etc/os-release', 'utf8');
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1];
  if (!suite) throw new Error('/etc/os-release names no Debian release');
  const system = path.join(dir, 'debian');
  await run('debootstrap', ['--variant=minbase', suite, system]);
  await run('tar', ['--create', '--directory', system, '--file', `${tar}.unfinished`, '.']);
  await run('mv', [`${tar}.unfinished`, tar]);
  await rm(system, { recursive: true });
  return tar;
}

/** Collects the files that a stand-in's Dockerfile copies. */
async function gather(name: string, context: string, root: string): Promise<void> {
  const take = async (from: string, to: string) =>
    cp(await realpath(path.resolve(root, from)), path.join(context, to), { recursive: true });
  if (name === 'node') {
    await take('infra/node/node_modules/.bin/node', 'node');
    // Certificates of this machine: behind its proxy, the registry is only reachable with those.
    await take(process.env.NODE_EXTRA_CA_CERTS ?? '/etc/ssl/certs/ca-certificates.crt', 'certificates.crt');
    const packed = await run('npm', ['pack', '--silent', 'npm@11.21.2'], { cwd: context });
    await run('tar', ['--extract', '--gzip', '--file', packed], { cwd: context });
    await run('mv', ['package', 'npm'], { cwd: context });
  }
  if (name === 'postgres') await take(path.join(sources, 'postgres-entrypoint.sh'), 'postgres-entrypoint.sh');
  if (name === 'minio') {
    for (const file of ['minio-main.ts', 'minio.sh', 'mc.sh']) await take(path.join(sources, file), file);
    await cp(path.join(root, 'infra'), path.join(context, 'infra'), {
      recursive: true,
      filter: (from) =>
        from === path.join(root, 'infra') ||
        from.startsWith(path.join(root, 'infra/s3')) ||
        /\/(durable-file|package)\.(ts|json)$/.test(from),
    });
    await take('infra/node_modules/zod', 'zod');
  }
}
