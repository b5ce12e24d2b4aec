// npm run inspect -- [--json] [--records] FILE…: how the product reads files, without any service.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';

// npm runs scripts in the project's root, but file names are relative to the caller's directory.
const cwd = process.env.npm_lifecycle_event === undefined ? process.cwd() : process.env.INIT_CWD;
const args = [path.join(root, 'scripts/inspect-main.ts'), ...process.argv.slice(2)];
const env = { NODE_COMPILE_CACHE: path.join(root, '.cache/node'), ...process.env };
const done = spawnSync(bootstrap(), args, { cwd, env, stdio: 'inherit' });
process.exitCode = done.status ?? 1;
