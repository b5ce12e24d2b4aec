import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@draftshelf/infra/free-port';
import { differences } from '../faults/truth.ts';
import { openProject } from './compose.ts';
import { readImages } from './container-images.ts';
import { findEngine, startEngine } from './engine.ts';
import { run } from './run.ts';
import { buildStandIns } from './stand-ins.ts';
import {
  expectGracefulStop,
  expectRecovered,
  importThroughCrashes,
  pushThroughCrash,
  type Scene,
  withDatabase,
} from './story.ts';

// npm run test:containers [-- rows]: runs the compose file on this machine's engine, or on one that it starts.

const rows = Number(process.argv[2] ?? 1_000_000);
const products = 400;
const root = fileURLToPath(new URL('../..', import.meta.url));
const scale = ['--scale', 'parse-worker=3', '--scale', 'push-worker=2'];

const began = performance.now();
const report = (text: string) =>
  console.log(`${String(Math.round((performance.now() - began) / 1000)).padStart(4)} s  ${text}`);

// Not in /tmp, which may be in memory: our own engine stores its images here.
const dir = await mkdtemp('/var/tmp/draftshelf-containers-');
/** Clean-up steps, run in reverse order however this ends. */
const undo: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })];
let undoing: Promise<void> | undefined;
const undoAll = () => {
  undoing ??= (async () => {
    for (const step of undo.toReversed()) await step().catch((error) => console.error(error));
  })();
  return undoing;
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void undoAll().then(() => process.exit(1)));
}

const wrong: string[] = [];
const unproven: string[] = [];
try {
  await prove();
} catch (error) {
  wrong.push(String(error));
} finally {
  report('Tearing everything down …');
  await undoAll();
}
for (const sentence of unproven) console.log(`NOT PROVEN: ${sentence}`);
for (const sentence of wrong) console.log(`WRONG: ${sentence}`);
console.log(wrong.length === 0 ? 'The containers did what they should.' : `${wrong.length} faults.`);
process.exit(wrong.length === 0 ? 0 : 1);

async function prove(): Promise<void> {
  const engine = (await findEngine()) ?? (await startEngine(dir));
  undo.push(engine.stop);
  if (engine.isOurs) {
    const images = await readImages(root);
    const standIns = await buildStandIns({ engine, images, root, dir, report });
    for (const [name, image] of Object.entries(images)) {
      unproven.push(`the image ${image}; ${standIns[name as keyof typeof standIns]} stood in for it`);
    }
  }
  report('Building our image …');
  // Our own engine has no routing, so it uses the network of this machine for the npm registry.
  const network = engine.isOurs ? ['--network', 'host'] : [];
  const file = ['--file', path.join(root, 'infra/Dockerfile'), '--target', 'app'];
  await run('docker', ['build', ...network, ...file, '--tag', 'draftshelf:local', root], { env: engine.env });

  const [password, accessKey] = [randomBytes(24).toString('hex'), randomBytes(12).toString('hex')];
  const port = String(await freePort());
  const project = await openProject({
    engine,
    root,
    dir,
    env: {
      POSTGRES_PASSWORD: password,
      APP_DATABASE_PASSWORD: randomBytes(24).toString('hex'),
      REDIS_PASSWORD: randomBytes(24).toString('hex'),
      S3_SECRET_KEY: randomBytes(24).toString('hex'),
      ACCESS_KEY: accessKey,
      SESSION_SECRET: randomBytes(24).toString('hex'),
      SHOPIFY_STORE_URL: 'http://store-simulator:4000',
      SHOPIFY_ACCESS_TOKEN: randomBytes(12).toString('hex'),
      COMPOSE_PROFILES: 'demo',
      PORT: port,
      DEMO_STORE_PORT: String(await freePort()),
      CSV_BYTES_MAX: String(1024 ** 3),
      LOG_LEVEL: 'warn',
    },
  });
  undo.push(() => project.compose('down', '--volumes', '--remove-orphans', '--timeout', '10'));
  const databaseUrl = (address: string) => `postgresql://draftshelf:${password}@${address}/draftshelf`;
  await runStory({ project, apiUrl: `http://127.0.0.1:${port}`, accessKey, databaseUrl, report, wrong });
}

async function runStory(scene: Scene): Promise<void> {
  const { project } = scene;
  report(`compose ${project.version}: up ${scale.join(' ')}`);
  await project.compose('up', '--detach', ...scale).catch(async (error) => {
    console.log(await project.compose('logs', '--no-color', '--tail', '20', 'migrate'));
    throw error;
  });
  await expectRecovered(scene, {});
  const id = await importThroughCrashes(scene, rows);
  await pushThroughCrash(scene, products);
  await expectRecovered(scene, { 'parse-worker': 2, 'enrich-worker': 1, 'push-worker': 1, redis: 1 });
  await expectGracefulStop(scene);
  report('All containers removed, and recreated on the same volumes …');
  await project.compose('down');
  await project.compose('up', '--detach', ...scale);
  await expectRecovered(scene, {});
  wrong.push(...(await withDatabase(scene, (database) => differences(database, id, rows))));
}
