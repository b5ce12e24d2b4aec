// npm run test:faults [minutes]: random faults for that long, on all queue backends, then recovery times.
// FAULT_SEED repeats a run: its first round has this seed, each further one the next.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';

const minutes = Number(process.argv[2] ?? 10);
if (!(minutes > 0)) {
  console.error('Give the duration in minutes, for example: npm run test:faults 60');
  process.exit(1);
}
bootstrap();
const env = {
  ...process.env,
  FAULT_MINUTES: String(minutes),
  PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
};
const { status } = spawnSync('vitest', ['run', '--project', 'faults-long'], {
  cwd: root,
  env,
  stdio: 'inherit',
});
process.exit(status ?? 1);
